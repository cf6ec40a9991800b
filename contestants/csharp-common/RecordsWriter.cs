using System;
using System.Text;

namespace MatchRace.Common;

/// <summary>
/// Writes a batch's records in canonical form into a <see cref="RecordsPlace"/>, for parsers whose libraries give text as
/// System.String: limits are checked, digest and totals made on the way. One batch after the other.
/// </summary>
public sealed class RecordsWriter
{
    private RecordsPlace? _place;
    private int _end;
    private ulong _digest;
    private Totals _totals;

    /// <summary>Records of this batch so far.</summary>
    public uint Count { get; private set; }

    /// <summary>Begins a batch: its records will stand in <paramref name="place"/>.</summary>
    public void Open(RecordsPlace place, int payloadBytes)
    {
        _ = place.Open(RecordForm.Capacity(payloadBytes));
        _place = place;
        _end = place.Start;
        _digest = 0;
        _totals.Clear();
        Count = 0;
    }

    /// <summary>
    /// Adds a record of this batch, which came from its JSON (so there is room); kind and flags are those of the contract. A
    /// negative integer is one beyond its limit. Something else than none: the batch must be rejected.
    /// </summary>
    public BatchError Add(ulong id, ulong timestampUs, string source, int kind, double value, int flags, string message)
    {
        if (Count == Contract.BatchRecordsMax)
        {
            return BatchError.RecordsMax;
        }
        if (id > Contract.IdMax || timestampUs > Contract.TimestampUsMax)
        {
            return BatchError.IntegerRange;
        }
        if (!(Math.Abs(value) <= Contract.ValueLimit))
        {
            return BatchError.ValueRange;
        }
        // Characters are never more than bytes: text that is far too long isn't encoded.
        if (source.Length is < Contract.SourceBytesMin or > Contract.SourceBytesMax || message.Length > Contract.MessageBytesMax)
        {
            return BatchError.Length;
        }
        Span<byte> record = _place!.Memory.AsSpan(_end);
        int sourceBytes = Encoding.UTF8.GetBytes(source, record[RecordForm.HeadBytes..]);
        int messageBytes = Encoding.UTF8.GetBytes(message, record[(RecordForm.HeadBytes + sourceBytes)..]);
        if (sourceBytes > Contract.SourceBytesMax || messageBytes > Contract.MessageBytesMax)
        {
            return BatchError.Length;
        }
        ulong valueBits = BitConverter.DoubleToUInt64Bits(value);
        RecordForm.WriteHead(record, id, timestampUs, valueBits, kind, flags, sourceBytes, messageBytes);
        _totals.AddRecord(timestampUs, valueBits, kind, flags, sourceBytes, messageBytes);
        _digest += RecordForm.Digest(record[..(RecordForm.HeadBytes + sourceBytes + messageBytes)]);
        _end += RecordForm.Stride(sourceBytes + messageBytes);
        Count++;
        return BatchError.None;
    }

    /// <summary>The batch is accepted: closes the place and says so.</summary>
    public void Accept(ref BatchResult result)
    {
        _place!.Close(_end - _place.Start, Count);
        result.Records = Count;
        result.Digest = _digest;
        result.Totals = _totals;
        result.HasTotals = true;
    }
}
