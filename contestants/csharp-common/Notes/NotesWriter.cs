using System;
using System.Collections.Generic;
using System.Reflection;

namespace MatchRace.Common;

/// <summary>What the result is, and whose memory it stands in (docs/SERIAL.md).</summary>
public enum NotesForm
{
    /// <summary>UTF-8 in memory that is kept.</summary>
    BytesReuse,

    /// <summary>UTF-8 in a new object of the garbage collector's.</summary>
    BytesFresh,

    /// <summary>A new string.</summary>
    StringFresh,
}

/// <summary>What an iteration gave: UTF-8, or a string; valid until the next one.</summary>
public readonly record struct NotesOutput(ReadOnlyMemory<byte> Utf8, string? Text);

/// <summary>Writes notes in one form.</summary>
public abstract class NotesWriter
{
    /// <summary>Writes the notes: the timed part.</summary>
    public abstract NotesOutput Write(List<Note> notes);
}

/// <summary>A contestant of the job `notes`.</summary>
public sealed class NotesContestant
{
    public required string Name { get; init; }

    /// <summary>The profile that it writes by itself: required, required-upper or html.</summary>
    public required string Profile { get; init; }

    /// <summary>Makes a writer. The notes are those of the first iteration: how much room they take may be found out with
    /// them, nothing else may be kept of them.</summary>
    public required Func<NotesForm, List<Note>, NotesWriter> CreateWriter { get; init; }

    /// <summary>The assemblies that do the contestant's work, beside its own and the runtime's.</summary>
    public required IReadOnlyList<Assembly> Assemblies { get; init; }
}
