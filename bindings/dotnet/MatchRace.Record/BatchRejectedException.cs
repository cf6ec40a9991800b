using System;

namespace MatchRace.Record;

/// <summary>A batch was rejected; thrown by the methods that are not called Try….</summary>
public sealed class BatchRejectedException : FormatException
{
    /// <summary>Made from what the parser says.</summary>
    public BatchRejectedException(Rejection rejection)
        : base(rejection.ToString()) => Rejection = rejection;

    /// <summary>Why and where.</summary>
    public Rejection Rejection { get; }
}
