namespace MatchRace.Common;

/// <summary>What the command line of `notes` asks for.</summary>
internal sealed class NotesOptions
{
    public NotesForm Form { get; set; }

    public bool IsMixed { get; set; }

    /// <summary>The profile by its name; null: what the contestant writes.</summary>
    public string? Profile { get; set; }

    public int Count { get; set; } = 1_000_000;

    public long Seed { get; set; } = 42;

    /// <summary>So many iterations; null: until warm, or until standard input ends.</summary>
    public long? Repeat { get; set; }

    public bool IsStepping { get; set; }

    /// <summary>A file for the first text.</summary>
    public string? Output { get; set; }
}
