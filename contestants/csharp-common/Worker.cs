using System;

namespace MatchRace.Common;

/// <summary>What a worker did with a batch.</summary>
internal enum Taken
{
    Answered,

    /// <summary>More than --max-kept is kept now: the connection must end, and the batch changed nothing.</summary>
    OverMaxKept,
}

/// <summary>The 32 bytes of an ACK.</summary>
internal struct Ack
{
    public uint Status;
    public uint Records;
    public ulong Digest;
    public uint Error;
    public uint ErrorRecord;
    public ulong ErrorOffset;
}

/// <summary>
/// A parser and what it needs: at most one thread is in it. Parse, digest, copies, totals, in this order, so that a batch
/// that can't be kept changes nothing.
/// </summary>
internal sealed class Worker<TParser, TPlace>
    where TParser : struct, IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    private readonly Mode _mode;
    private readonly Book _book;
    private readonly Dose? _dose;
    private TParser _parser;
    private BatchResult _result;
    private Totals _batch;

    public Worker(TParser parser, Mode mode, Book book, int sharedBytes, Dose? dose)
    {
        _parser = parser;
        _mode = mode;
        _book = book;
        _dose = dose;
        Shared = sharedBytes == 0 ? null : new PaddedBuffer(sharedBytes);
    }

    /// <summary>What a turn of a connection receives into; null where connections have their own.</summary>
    public PaddedBuffer? Shared { get; }

    public string? Kernel => _parser.Kernel;

    /// <summary>Does the work of one batch. <paramref name="ring"/> is not used in drain.</summary>
    public Taken Take(in Payload payload, Ring<TPlace>? ring, out Ack ack)
    {
        Taken taken = Work(payload, ring, out ack);
        _dose?.Settle();
        return taken;
    }

    private Taken Work(in Payload payload, Ring<TPlace>? ring, out Ack ack)
    {
        ack = default;
        _batch.Clear();
        if (_mode == Mode.Drain)
        {
            _batch.BatchesAccepted = 1;
            _batch.PayloadBytes = (uint)payload.Bytes;
            _book.Enter(_batch);
            return Taken.Answered;
        }
        TPlace place = ring!.Open();
        _result.Clear();
        _parser.Parse(payload, place, ref _result);
        if (_result.Error == BatchError.None)
        {
            return Accept(payload.Bytes, place, ring, ref ack);
        }
        ring.Drop();
        _batch.BatchesRejected = 1;
        _book.Enter(_batch);
        ack.Status = 1;
        ack.Error = (uint)_result.Error;
        ack.ErrorRecord = _result.ErrorRecord;
        ack.ErrorOffset = _result.ErrorOffset;
        return Taken.Answered;
    }

    private Taken Accept(int payloadBytes, TPlace place, Ring<TPlace> ring, ref Ack ack)
    {
        if (_result.HasTotals)
        {
            _batch = _result.Totals;
        }
        else
        {
            place.AddTo(ref _batch);
        }
        _batch.BatchesAccepted = 1;
        _batch.BatchesRejected = 0;
        _batch.PayloadBytes = (uint)payloadBytes;
        _batch.Records = _result.Records;
        _batch.Digest = _result.Digest;
        if (!ring.TryKeep())
        {
            return Taken.OverMaxKept;
        }
        _book.Enter(_batch);
        ack.Records = _result.Records;
        ack.Digest = _result.Digest;
        return Taken.Answered;
    }
}
