// Result.cs: what a parser says about one batch; include/matchrace/result.h, byte for byte.
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>Why a batch is rejected: enum mr_error.</summary>
public enum Error : uint
{
    Ok = 0,
    Rejected = 1,
    Empty = 2,
    Bom = 3,
    Utf8 = 4,
    Syntax = 5,
    Truncated = 6,
    Trailing = 7,
    Control = 8,
    Escape = 9,
    Surrogate = 10,
    Number = 11,
    Type = 12,
    IntegerRange = 13,
    ValueRange = 14,
    Length = 15,
    KeyUnknown = 16,
    KeyTwice = 17,
    KeyMissing = 18,
    Kind = 19,
    Flag = 20,
    FlagTwice = 21,
    RecordsMax = 22,
    Memory = 23,
}

/// <summary>The outcome of one batch: struct mr_result. On rejection Records, Digest and UsedBytes are 0.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Result
{
    public Error Error;
    public uint Records;
    public ulong Digest;
    public ulong UsedBytes;
    public uint ErrorRecord;
    public ulong ErrorOffset;

    /// <summary>What the batch adds to the totals; null where the kernel makes none. The parser's, until its next batch.</summary>
    public Totals* Totals;
}
