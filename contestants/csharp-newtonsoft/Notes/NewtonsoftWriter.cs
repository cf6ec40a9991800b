using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson.Notes;

/// <summary>The job `notes`: JsonConvert for strings, a JsonTextWriter over a UTF-8 StreamWriter for bytes.</summary>
internal static class NewtonsoftWriter
{
    public static NotesContestant Contestant { get; } = new()
    {
        Name = "csharp-newtonsoft",
        Profile = "required",
        CreateWriter = (form, notes) => form == NotesForm.StringFresh ? new Text() : new Bytes(form, notes),
        Assemblies = [typeof(JsonConvert).Assembly],
    };

    private sealed class Text : NotesWriter
    {
        public override NotesOutput Write(List<Note> notes) => new(default, JsonConvert.SerializeObject(notes));
    }

    private sealed class Bytes : NotesWriter
    {
        private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

        private readonly JsonSerializer _serializer = JsonSerializer.CreateDefault();
        private readonly int _capacity;
        // Of fresh bytes none: the last stream is nobody's any more when the next one is made.
        private readonly MemoryStream? _kept;

        // A stream that is kept is as large as these notes may need, and touched.
        public Bytes(NotesForm form, List<Note> notes)
        {
            _capacity = NotesRoom.Of(notes);
            if (form != NotesForm.BytesFresh)
            {
                _kept = new MemoryStream(_capacity);
                _kept.GetBuffer().AsSpan().Clear();
            }
        }

        public override NotesOutput Write(List<Note> notes)
        {
            MemoryStream stream = _kept ?? new MemoryStream(_capacity);
            stream.SetLength(0);
            WriteTo(stream, notes);
            return new NotesOutput(stream.GetBuffer().AsMemory(0, (int)stream.Length), null);
        }

        private void WriteTo(MemoryStream stream, List<Note> notes)
        {
            using StreamWriter text = new(stream, s_utf8, leaveOpen: true);
            using JsonTextWriter json = new(text);
            _serializer.Serialize(json, notes);
        }
    }
}
