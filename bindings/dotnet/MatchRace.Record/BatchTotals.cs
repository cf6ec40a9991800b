using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Record;

/// <summary>Eight counts, one a kind or a flag.</summary>
[InlineArray(8)]
public struct EightCounts
{
    private ulong _first;
}

/// <summary>
/// Sums over the records of a batch. The layout is that of struct mr_totals of contract.h. The four extremes mean
/// nothing while <see cref="Records"/> is 0.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public struct BatchTotals
{
    /// <summary>Accepted batches: 1.</summary>
    public ulong BatchesAccepted;

    /// <summary>Rejected batches: 0.</summary>
    public ulong BatchesRejected;

    /// <summary>Records.</summary>
    public ulong Records;

    /// <summary>Bytes of JSON.</summary>
    public ulong PayloadBytes;

    /// <summary>Sum of the records' digests, mod 2^64.</summary>
    public ulong Digest;

    /// <summary>Records of each kind, by <see cref="RecordKind"/>.</summary>
    public EightCounts Kinds;

    /// <summary>Records with each flag, by its bit.</summary>
    public EightCounts Flags;

    /// <summary>Bytes of UTF-8 of all sources.</summary>
    public ulong SourceBytes;

    /// <summary>Bytes of UTF-8 of all messages.</summary>
    public ulong MessageBytes;

    /// <summary>The earliest timestamp, in µs since 1970.</summary>
    public ulong TimestampUsMin;

    /// <summary>The latest timestamp, in µs since 1970.</summary>
    public ulong TimestampUsMax;

    /// <summary>The smallest value (−0.0 is below +0.0).</summary>
    public double ValueMin;

    /// <summary>The largest value.</summary>
    public double ValueMax;

    /// <summary>Sum mod 2^64 of trunc(value × 1024) as signed integers.</summary>
    public ulong ValueSum;
}
