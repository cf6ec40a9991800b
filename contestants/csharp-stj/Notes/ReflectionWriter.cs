using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.Stj.Notes;

/// <summary>The job `notes`: JsonSerializer by reflection, by the call that each form has.</summary>
internal static class ReflectionWriter
{
    public static NotesContestant Contestant { get; } = new()
    {
        Name = "csharp-stj",
        Profile = "html",
        CreateWriter = Create,
        Assemblies = [typeof(JsonSerializer).Assembly],
    };

    private static NotesWriter Create(NotesForm form, List<Note> notes) => form switch
    {
        NotesForm.BytesFresh => new Bytes(),
        NotesForm.StringFresh => new Text(),
        _ => new Kept(notes),
    };

    private sealed class Bytes : NotesWriter
    {
        public override NotesOutput Write(List<Note> notes) => new(JsonSerializer.SerializeToUtf8Bytes(notes), null);
    }

    private sealed class Text : NotesWriter
    {
        public override NotesOutput Write(List<Note> notes) => new(default, JsonSerializer.Serialize(notes));
    }

    private sealed class Kept(List<Note> first) : BufferedNotesWriter(NotesForm.BytesReuse, first)
    {
        private readonly Utf8JsonWriter _writer = new(Stream.Null, new JsonWriterOptions { SkipValidation = true });

        protected override void WriteTo(ArrayBufferWriter<byte> buffer, List<Note> notes)
        {
            _writer.Reset(buffer);
            JsonSerializer.Serialize(_writer, notes);
            _writer.Flush();
        }
    }
}
