using System;

namespace MatchRace.Common;

/// <summary>docs/PROTOCOL.md, section 4.</summary>
public enum Mode
{
    Drain,
    Totals,
    Keep,
    Fresh,
}

internal static class ModeNames
{
    public static readonly string[] All = ["drain", "totals", "keep", "fresh"];

    public static string Of(Mode mode) => All[(int)mode];

    public static Mode Parse(string name) => (Mode)Array.IndexOf(All, name);
}
