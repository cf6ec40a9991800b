using System;

namespace MatchRace.Common;

/// <summary>Limits and names of docs/PROTOCOL.md, section 1.</summary>
public static class Contract
{
    public const int BatchRecordsMax = 65535;
    public const ulong IdMax = 9223372036854775807;
    public const ulong TimestampUsMax = 253402300799999999;
    public const int SourceBytesMin = 1;
    public const int SourceBytesMax = 64;
    public const int MessageBytesMax = 4096;

    /// <summary>Of the rounded number, either sign; itself allowed.</summary>
    public const double ValueLimit = 1e15;

    public const int KindCount = 8;
    public const int FlagCount = 8;

    /// <summary>The kinds in the order of their codes.</summary>
    public static ReadOnlySpan<string> KindNames => s_kindNames;

    /// <summary>The flags in the order of their bits.</summary>
    public static ReadOnlySpan<string> FlagNames => s_flagNames;

    private static readonly string[] s_kindNames = ["metric", "event", "log", "trace", "alert", "audit", "span", "state"];
    private static readonly string[] s_flagNames = ["urgent", "sampled", "retry", "internal", "encrypted", "batched", "partial", "replayed"];
}
