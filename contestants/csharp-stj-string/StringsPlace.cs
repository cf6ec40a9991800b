using System;
using System.Buffers.Binary;
using System.Text;
using MatchRace.Common;

namespace MatchRace.StjString;

/// <summary>
/// One batch's copies with text in UTF-16. The array of records is used again in mode keep; strings can't be, so every
/// batch makes new ones.
/// </summary>
internal sealed class StringsPlace(Mode mode) : KeptPlace
{
    // What the runtime adds to a string's characters, and what an entry of the array takes.
    private const int StringBytes = 22;
    private const int EntryBytes = 48;

    private struct Entry
    {
        public ulong Id;
        public ulong TimestampUs;
        public ulong ValueBits;
        public byte Kind;
        public byte Flags;
        public string Source;
        public string Message;
    }

    private Entry[] _entries = [];
    private int _count;
    private long _textBytes;

    public override uint Records => (uint)_count;

    public override long KeptBytes => _textBytes + (long)_count * EntryBytes;

    public override long HeldBytes => _textBytes + (long)_entries.Length * EntryBytes;

    /// <summary>Copies canonical records that stand in <paramref name="memory"/> from <paramref name="start"/> on.</summary>
    public void Take(byte[] memory, int start, uint count)
    {
        if (mode == Mode.Totals)
        {
            return;
        }
        _count = (int)count;
        _textBytes = 0;
        if (_entries.Length < _count)
        {
            _entries = new Entry[_count];
        }
        else
        {
            // Strings of the batch that stood here before are garbage from now on.
            Array.Clear(_entries, _count, _entries.Length - _count);
        }
        ReadOnlySpan<byte> record = memory.AsSpan(start);
        for (int i = 0; i < _count; i++)
        {
            record = record[Take(ref _entries[i], record)..];
        }
    }

    public override ulong ComputeDigest()
    {
        byte[] record = new byte[RecordForm.HeadBytes + Contract.SourceBytesMax + Contract.MessageBytesMax];
        ulong sum = 0;
        for (int i = 0; i < _count; i++)
        {
            ref readonly Entry entry = ref _entries[i];
            int sourceBytes = Encoding.UTF8.GetBytes(entry.Source, record.AsSpan(RecordForm.HeadBytes));
            int messageBytes = Encoding.UTF8.GetBytes(entry.Message, record.AsSpan(RecordForm.HeadBytes + sourceBytes));
            RecordForm.WriteHead(record, entry.Id, entry.TimestampUs, entry.ValueBits, entry.Kind, entry.Flags, sourceBytes,
                                 messageBytes);
            sum += RecordForm.Digest(record.AsSpan(0, RecordForm.HeadBytes + sourceBytes + messageBytes));
        }
        return sum;
    }

    public override void AddTo(ref Totals totals)
    {
        for (int i = 0; i < _count; i++)
        {
            ref readonly Entry entry = ref _entries[i];
            totals.AddRecord(entry.TimestampUs, entry.ValueBits, entry.Kind, entry.Flags,
                             Encoding.UTF8.GetByteCount(entry.Source), Encoding.UTF8.GetByteCount(entry.Message));
        }
    }

    public override void Trim(bool exactly)
    {
        if (_entries.Length > (exactly ? _count : _count * 4 + 1024))
        {
            Array.Resize(ref _entries, _count);
        }
    }

    // Returns the distance to the next record.
    private int Take(ref Entry entry, ReadOnlySpan<byte> record)
    {
        ulong word = BinaryPrimitives.ReadUInt64LittleEndian(record[24..]);
        int sourceBytes = (ushort)(word >> 16);
        int messageBytes = (int)(word >> 32);
        entry.Id = BinaryPrimitives.ReadUInt64LittleEndian(record);
        entry.TimestampUs = BinaryPrimitives.ReadUInt64LittleEndian(record[8..]);
        entry.ValueBits = BinaryPrimitives.ReadUInt64LittleEndian(record[16..]);
        entry.Kind = (byte)word;
        entry.Flags = (byte)(word >> 8);
        entry.Source = Encoding.UTF8.GetString(record.Slice(RecordForm.HeadBytes, sourceBytes));
        entry.Message = Encoding.UTF8.GetString(record.Slice(RecordForm.HeadBytes + sourceBytes, messageBytes));
        _textBytes += 2 * StringBytes + 2L * (entry.Source.Length + entry.Message.Length);
        return RecordForm.Stride(sourceBytes + messageBytes);
    }
}
