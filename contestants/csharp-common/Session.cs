using System;
using System.Text;

namespace MatchRace.Common;

/// <summary>What all sessions of a server share.</summary>
internal sealed class ServerRoom<TPlace>(Books<TPlace> books, Func<Mode, TPlace> createPlace, ServeOptions options,
                                         Func<byte[]> welcome, RuntimeFigures figures)
    where TPlace : KeptPlace
{
    public Books<TPlace> Books { get; } = books;
    public ServeOptions Options { get; } = options;

    /// <summary>The payload of WELCOME, as of now.</summary>
    public Func<byte[]> Welcome { get; } = welcome;

    public RuntimeFigures Figures { get; } = figures;

    public IdleBuffers Idle { get; } = new();

    public Ring<TPlace> CreateRing() => new(Options.Mode, Options.MaxKeptBytes, createPlace);
}

/// <summary>
/// One conversation: requests to replies, in their order. It neither waits nor receives: an I/O way brings bytes to
/// <see cref="Reader"/>, lends a worker to <see cref="AnswerReceived"/>, and flushes <see cref="Replies"/>.
/// </summary>
internal sealed class Session<TParser, TPlace>(ServerRoom<TPlace> room, Replies replies)
    where TParser : struct, IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    private Ring<TPlace>? _ring;

    public FrameReader Reader { get; } = new(room.Idle);

    public Replies Replies { get; } = replies;

    /// <summary>An ERROR was queued: the writing side ends behind it, and input is thrown away.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>
    /// Answers what was received, as long as the client takes the replies; the rest is put aside, so that the buffer is
    /// free when this returns.
    /// </summary>
    public void AnswerReceived(Worker<TParser, TPlace> worker)
    {
        while (!HasFailed && !Replies.HasFailed)
        {
            if (Replies.IsClogged && !Replies.TryUnclog())
            {
                Reader.Hold();
                return;
            }
            if (!Step(worker))
            {
                return;
            }
        }
    }

    /// <summary>Ends the conversation with an ERROR.</summary>
    public void Fail(ulong sequence, string text)
    {
        End();
        HasFailed = true;
        Replies.Add(Wire.Error, sequence, Encoding.UTF8.GetBytes(text));
    }

    /// <summary>The conversation is over: its copies aren't counted any more.</summary>
    public void End()
    {
        if (_ring is not null)
        {
            room.Books.Remove(_ring);
            _ring = null;
        }
    }

    // False: nothing more is there.
    private bool Step(Worker<TParser, TPlace> worker)
    {
        FrameEvent what;
        try
        {
            what = Reader.Next();
        }
        catch (OutOfMemoryException)
        {
            Fail(Reader.Head.Sequence, $"no memory for a payload of {Reader.Head.PayloadBytes} bytes");
            return true;
        }
        switch (what)
        {
            case FrameEvent.Head:
                if (HeadFault(Reader.Head) is string fault)
                {
                    Fail(Reader.Head.Sequence, fault);
                }
                return true;
            case FrameEvent.Frame:
                Answer(worker);
                return true;
            default:
                return false;
        }
    }

    // What is wrong with a header, or null; decided before a byte of the payload is read.
    private string? HeadFault(in FrameHead head)
    {
        bool isBatch = head.Type == Wire.Batch;
        if (head.Version != Wire.Version)
        {
            return $"protocol version {head.Version} is not spoken here, only {Wire.Version}";
        }
        if (head.Reserved != 0)
        {
            return $"the reserved field is 0x{head.Reserved:x4} and must be 0";
        }
        if (!isBatch && head.Type is not (Wire.Hello or Wire.Stats or Wire.KeptRequest))
        {
            return $"unknown frame type 0x{head.Type:x2}";
        }
        if (!isBatch && head.PayloadBytes > 0)
        {
            return $"a frame of type 0x{head.Type:x2} has no payload, not {head.PayloadBytes} bytes";
        }
        return head.PayloadBytes > room.Options.MaxPayloadBytes
            ? $"a payload of {head.PayloadBytes} bytes is over the limit of {room.Options.MaxPayloadBytes}"
            : null;
    }

    private void Answer(Worker<TParser, TPlace> worker)
    {
        ulong sequence = Reader.Head.Sequence;
        switch (Reader.Head.Type)
        {
            case Wire.Batch:
                AnswerBatch(worker, sequence);
                break;
            case Wire.Hello:
                Replies.Add(Wire.Welcome, sequence, room.Welcome());
                break;
            case Wire.Stats:
                Replies.Add(Wire.StatsReply, sequence, StatsText.Stats(room.Books.Sum(), room.Figures));
                break;
            default:
                Replies.Add(Wire.KeptReply, sequence, StatsText.Kept(room.Books.SumKept()));
                break;
        }
    }

    private void AnswerBatch(Worker<TParser, TPlace> worker, ulong sequence)
    {
        if (_ring is null && room.Options.Mode != Mode.Drain)
        {
            _ring = room.CreateRing();
            room.Books.Add(_ring);
        }
        Payload payload = new(Reader.PayloadMemory, Reader.PayloadStart, (int)Reader.Head.PayloadBytes, isWritable: true);
        if (worker.Take(payload, _ring, out Ack ack) == Taken.OverMaxKept)
        {
            Fail(sequence, $"the kept batches are over the limit of {room.Options.MaxKeptBytes} bytes");
            return;
        }
        Span<byte> bytes = stackalloc byte[Wire.AckBytes];
        Wire.WriteAck(bytes, ack);
        Replies.Add(Wire.AckReply, sequence, bytes);
    }
}
