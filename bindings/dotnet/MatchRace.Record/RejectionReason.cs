namespace MatchRace.Record;

/// <summary>Why a batch was rejected; the same numbers as enum mr_error of result.h.</summary>
public enum RejectionReason
{
    /// <summary>The batch was not rejected.</summary>
    None = 0,

    /// <summary>Rejected, and the parser does not say why.</summary>
    Rejected = 1,

    /// <summary>No JSON text, or only white space.</summary>
    Empty = 2,

    /// <summary>The text begins with a byte order mark.</summary>
    ByteOrderMark = 3,

    /// <summary>Not valid UTF-8.</summary>
    Utf8 = 4,

    /// <summary>Another byte was needed here.</summary>
    Syntax = 5,

    /// <summary>The text ends too early.</summary>
    Truncated = 6,

    /// <summary>Something stands behind the array.</summary>
    Trailing = 7,

    /// <summary>A raw byte below 0x20 in a string.</summary>
    Control = 8,

    /// <summary>A bad or cut-off escape.</summary>
    Escape = 9,

    /// <summary>An escape names a lone surrogate.</summary>
    Surrogate = 10,

    /// <summary>Not a JSON number.</summary>
    Number = 11,

    /// <summary>A value of another type than its key's.</summary>
    Type = 12,

    /// <summary>id or timestamp out of its range.</summary>
    IntegerRange = 13,

    /// <summary>value beyond ±10^15 after rounding.</summary>
    ValueRange = 14,

    /// <summary>source or message too short or too long.</summary>
    Length = 15,

    /// <summary>A key that no record has.</summary>
    KeyUnknown = 16,

    /// <summary>A key that stood there already.</summary>
    KeyTwice = 17,

    /// <summary>A record ends without all seven keys.</summary>
    KeyMissing = 18,

    /// <summary>Not one of the eight kinds.</summary>
    Kind = 19,

    /// <summary>Not one of the eight flags.</summary>
    Flag = 20,

    /// <summary>A flag that stood there already.</summary>
    FlagTwice = 21,

    /// <summary>More than 65,535 records.</summary>
    RecordsMax = 22,

    /// <summary>The machine was out of memory: not the text's fault.</summary>
    OutOfMemory = 23,
}
