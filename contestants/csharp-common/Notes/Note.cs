namespace MatchRace.Common;

/// <summary>A note of the job `notes` (docs/SERIAL.md); its properties stand in the order of the text.</summary>
public sealed class Note
{
    public int Id { get; set; }

    public string Title { get; set; } = "";

    public string NoteText { get; set; } = "";
}
