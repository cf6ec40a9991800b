using System;
using System.Text;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.Stj;

/// <summary>Reads one batch strictly by docs/PROTOCOL.md, section 1, into canonical records.</summary>
internal ref struct BatchReader
{
    private const int AllKeys = (1 << Keys.Count) - 1;

    // An array of objects with an array in them, and nothing deeper.
    private static readonly JsonReaderOptions s_options = new() { MaxDepth = 3 };

    private readonly Span<byte> _records;
    private readonly bool _isAscii;
    private Utf8JsonReader _reader;

    public BatchReader(ReadOnlySpan<byte> json, Span<byte> records)
    {
        _reader = new Utf8JsonReader(json, s_options);
        _records = records;
        // Stops at the first byte that is none; a batch of ASCII needs no other check of its encoding.
        _isAscii = Ascii.IsValid(json);
    }

    /// <summary>Records that are whole.</summary>
    public uint Count { get; private set; }

    public int UsedBytes { get; private set; }

    public ulong Digest { get; private set; }

    /// <summary>Where reading stands, in bytes of JSON.</summary>
    public readonly long Offset => _reader.TokenStartIndex;

    /// <exception cref="JsonException">The text is not JSON, or nests too deep.</exception>
    /// <exception cref="InvalidOperationException">A string is not valid Unicode.</exception>
    public BatchError Read(ref Totals totals)
    {
        _ = _reader.Read();
        if (_reader.TokenType != JsonTokenType.StartArray)
        {
            return BatchError.Type;
        }
        while (true)
        {
            _ = _reader.Read();
            if (_reader.TokenType == JsonTokenType.EndArray)
            {
                break;
            }
            if (_reader.TokenType != JsonTokenType.StartObject)
            {
                return BatchError.Type;
            }
            if (Count == Contract.BatchRecordsMax)
            {
                return BatchError.RecordsMax;
            }
            BatchError error = ReadRecord(ref totals);
            if (error != BatchError.None)
            {
                return error;
            }
        }
        // Once more, so that the reader looks at what stands behind the array.
        return _reader.Read() ? BatchError.Trailing : BatchError.None;
    }

    private BatchError ReadRecord(ref Totals totals)
    {
        RecordWriter record = new(_records[UsedBytes..], _isAscii);
        int seen = 0;
        int expected = 0;
        BatchError error = BatchError.None;
        while (error == BatchError.None)
        {
            _ = _reader.Read();
            if (_reader.TokenType == JsonTokenType.EndObject)
            {
                break;
            }
            int key = Keys.Find(ref _reader, expected);
            if (key < 0)
            {
                return BatchError.KeyUnknown;
            }
            if ((seen & (1 << key)) != 0)
            {
                return BatchError.KeyTwice;
            }
            seen |= 1 << key;
            expected = key + 1;
            _ = _reader.Read();
            error = record.ReadValue(ref _reader, key);
        }
        if (error != BatchError.None)
        {
            return error;
        }
        if (seen != AllKeys)
        {
            return BatchError.KeyMissing;
        }
        Digest += record.Finish(ref totals);
        UsedBytes += record.StrideBytes;
        Count++;
        return BatchError.None;
    }
}
