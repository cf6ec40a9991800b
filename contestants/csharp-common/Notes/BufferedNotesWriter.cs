using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;

namespace MatchRace.Common;

/// <summary>
/// A writer that writes UTF-8 into a buffer writer: kept for reuse, new for fresh bytes, kept and decoded for strings.
/// </summary>
public abstract class BufferedNotesWriter : NotesWriter
{
    private readonly NotesForm _form;
    private readonly int _capacity;
    // Of fresh bytes none: the last buffer is nobody's any more when the next one is made.
    private readonly ArrayBufferWriter<byte>? _kept;

    /// <summary>A buffer that is kept is as large as these notes may need, and touched.</summary>
    protected BufferedNotesWriter(NotesForm form, List<Note> notes)
    {
        _form = form;
        _capacity = NotesRoom.Of(notes);
        if (form != NotesForm.BytesFresh)
        {
            _kept = new ArrayBufferWriter<byte>(_capacity);
            _kept.GetSpan(_capacity).Clear();
        }
    }

    /// <inheritdoc/>
    public override NotesOutput Write(List<Note> notes)
    {
        ArrayBufferWriter<byte> buffer = _kept ?? new ArrayBufferWriter<byte>(_capacity);
        buffer.ResetWrittenCount();
        WriteTo(buffer, notes);
        return _form == NotesForm.StringFresh ? new NotesOutput(default, Encoding.UTF8.GetString(buffer.WrittenSpan))
                                              : new NotesOutput(buffer.WrittenMemory, null);
    }

    /// <summary>Writes the whole text.</summary>
    protected abstract void WriteTo(ArrayBufferWriter<byte> buffer, List<Note> notes);
}
