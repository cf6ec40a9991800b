using System;
using System.Collections.Generic;

namespace MatchRace.Common;

/// <summary>How much room notes may take, found without the code that is timed: its first run is part of the race.</summary>
public static class NotesRoom
{
    private const int SpareBytes = 4096;
    private const int FrameBytes = 48;
    private const int EscapeBytes = 6;

    /// <summary>At least as many bytes as any of the profiles takes, and some that a writer may ask for in advance.</summary>
    public static int Of(List<Note> notes)
    {
        ArgumentNullException.ThrowIfNull(notes);
        long bytes = SpareBytes;
        foreach (Note note in notes)
        {
            bytes += FrameBytes + Of(note.Title) + Of(note.NoteText);
        }
        return (int)Math.Min(bytes, Array.MaxLength);
    }

    private static int Of(string text)
    {
        int bytes = 0;
        foreach (char character in text)
        {
            bytes += char.IsAsciiLetterOrDigit(character) || character is ' ' or '.' ? 1 : EscapeBytes;
        }
        return bytes;
    }
}
