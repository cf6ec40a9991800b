namespace MatchRace.Record;

/// <summary>What a record is about; the names in JSON are the same in lower case.</summary>
public enum RecordKind : byte
{
    /// <summary><c>"metric"</c></summary>
    Metric = 0,

    /// <summary><c>"event"</c></summary>
    Event = 1,

    /// <summary><c>"log"</c></summary>
    Log = 2,

    /// <summary><c>"trace"</c></summary>
    Trace = 3,

    /// <summary><c>"alert"</c></summary>
    Alert = 4,

    /// <summary><c>"audit"</c></summary>
    Audit = 5,

    /// <summary><c>"span"</c></summary>
    Span = 6,

    /// <summary><c>"state"</c></summary>
    State = 7,
}
