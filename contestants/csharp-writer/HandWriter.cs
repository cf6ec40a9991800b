using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.Writer;

/// <summary>Utf8JsonWriter by hand: names encoded once, flushed every 32 KiB.</summary>
internal sealed class HandWriter(NotesForm form, List<Note> notes) : BufferedNotesWriter(form, notes)
{
    private const int FlushBytes = 32 << 10;

    private static readonly JsonEncodedText s_id = JsonEncodedText.Encode("Id");
    private static readonly JsonEncodedText s_title = JsonEncodedText.Encode("Title");
    private static readonly JsonEncodedText s_noteText = JsonEncodedText.Encode("NoteText");

    private readonly Utf8JsonWriter _writer = new(Stream.Null, new JsonWriterOptions { SkipValidation = true });

    /// <inheritdoc/>
    protected override void WriteTo(ArrayBufferWriter<byte> buffer, List<Note> notes)
    {
        _writer.Reset(buffer);
        _writer.WriteStartArray();
        foreach (Note note in notes)
        {
            _writer.WriteStartObject();
            _writer.WriteNumber(s_id, note.Id);
            _writer.WriteString(s_title, note.Title);
            _writer.WriteString(s_noteText, note.NoteText);
            _writer.WriteEndObject();
            if (_writer.BytesPending >= FlushBytes)
            {
                _writer.Flush();
            }
        }
        _writer.WriteEndArray();
        _writer.Flush();
    }
}
