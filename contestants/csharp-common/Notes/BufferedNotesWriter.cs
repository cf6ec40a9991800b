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
    private ArrayBufferWriter<byte> _buffer;

    /// <summary>The buffer is as large as these notes may need, and touched.</summary>
    protected BufferedNotesWriter(NotesForm form, List<Note> notes)
    {
        _form = form;
        _capacity = NotesRoom.Of(notes);
        _buffer = new ArrayBufferWriter<byte>(_capacity);
        _buffer.GetSpan(_capacity).Clear();
    }

    /// <inheritdoc/>
    public override NotesOutput Write(List<Note> notes)
    {
        if (_form == NotesForm.BytesFresh)
        {
            _buffer = new ArrayBufferWriter<byte>(_capacity);
        }
        else
        {
            _buffer.ResetWrittenCount();
        }
        WriteTo(_buffer, notes);
        return _form == NotesForm.StringFresh ? new NotesOutput(default, Encoding.UTF8.GetString(_buffer.WrittenSpan))
                                              : new NotesOutput(_buffer.WrittenMemory, null);
    }

    /// <summary>Writes the whole text.</summary>
    protected abstract void WriteTo(ArrayBufferWriter<byte> buffer, List<Note> notes);
}
