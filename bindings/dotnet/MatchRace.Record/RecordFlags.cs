using System;

namespace MatchRace.Record;

/// <summary>A record's flags; the names in JSON are the same in lower case.</summary>
[Flags]
public enum RecordFlags : byte
{
    /// <summary>No flag.</summary>
    None = 0,

    /// <summary><c>"urgent"</c></summary>
    Urgent = 1 << 0,

    /// <summary><c>"sampled"</c></summary>
    Sampled = 1 << 1,

    /// <summary><c>"retry"</c></summary>
    Retry = 1 << 2,

    /// <summary><c>"internal"</c></summary>
    Internal = 1 << 3,

    /// <summary><c>"encrypted"</c></summary>
    Encrypted = 1 << 4,

    /// <summary><c>"batched"</c></summary>
    Batched = 1 << 5,

    /// <summary><c>"partial"</c></summary>
    Partial = 1 << 6,

    /// <summary><c>"replayed"</c></summary>
    Replayed = 1 << 7,
}
