namespace MatchRace.Common;

/// <summary>Why a batch is rejected: advice for people, sent in ACK (the same numbers as result.h).</summary>
public enum BatchError : uint
{
    None = 0,

    /// <summary>Rejected, and the parser does not say why.</summary>
    Rejected = 1,
    Empty = 2,
    ByteOrderMark = 3,
    Utf8 = 4,

    /// <summary>Another byte was needed here.</summary>
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
