using System;

namespace MatchRace.StjSerializer;

/// <summary>By the contract's codes.</summary>
internal enum Kind : byte
{
    Metric,
    Event,
    Log,
    Trace,
    Alert,
    Audit,
    Span,
    State,
}

/// <summary>By the contract's bits.</summary>
[Flags]
internal enum Flags : byte
{
    None = 0,
    Urgent = 1,
    Sampled = 2,
    Retry = 4,
    Internal = 8,
    Encrypted = 16,
    Batched = 32,
    Partial = 64,
    Replayed = 128,
}
