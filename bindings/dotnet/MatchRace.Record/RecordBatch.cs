using System;

namespace MatchRace.Record;

/// <summary>
/// The records of one batch, and memory for them that is used again for the next. It is the garbage collector's, pinned, so
/// there is nothing to dispose of, and what was handed out stays readable (though a later batch overwrites it). One thread
/// at a time.
/// </summary>
public sealed class RecordBatch
{
    private byte[] _memory = [];
    private ParsedBatch _parsed;
    private BatchTotals _totals;
    private int _jsonBytes;

    /// <summary>Records; 0 before the first batch, and when the last one was rejected.</summary>
    public int Count => _parsed.Count;

    /// <summary>Sum mod 2^64 of the records' digests.</summary>
    public ulong Digest => _parsed.Digest;

    /// <summary>The records in canonical form, each at a multiple of 8 bytes.</summary>
    public ReadOnlySpan<byte> Bytes => _memory.AsSpan(0, _parsed.UsedBytes);

    /// <summary>The records, for <c>foreach</c>.</summary>
    public RecordSequence Records => new(Bytes, Count);

    /// <summary>Begins at the first record.</summary>
    public RecordSequence.Enumerator GetEnumerator() => Records.GetEnumerator();

    /// <summary>Sums over the records; made here where the kernel did not make them on its way.</summary>
    public unsafe BatchTotals ComputeTotals()
    {
        if (_parsed.HasTotals)
        {
            return _totals;
        }
        BatchTotals totals;
        Native.TotalsInit(&totals);
        fixed (byte* records = Bytes)
        {
            Native.TotalsAccept(&totals, records, (uint)Count, Digest, (ulong)_jsonBytes);
        }
        return totals;
    }

    // Room for the records of a text; what stood here is gone.
    internal Span<byte> Open(int jsonBytes)
    {
        int capacity = RecordSequence.CapacityFor(jsonBytes);
        _parsed = default;
        _jsonBytes = jsonBytes;
        if (_memory.Length < capacity)
        {
            // An eighth more: batches of about the same size stop growing it.
            long wanted = Math.Min((long)capacity + capacity / 8, Array.MaxLength);
            _memory = GC.AllocateUninitializedArray<byte>((int)wanted, pinned: true);
        }
        return _memory;
    }

    internal void Close(in ParsedBatch parsed, in BatchTotals totals)
    {
        _parsed = parsed;
        if (parsed.HasTotals)
        {
            _totals = totals;
        }
    }
}
