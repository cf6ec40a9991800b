using System;
using System.Globalization;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.Stj;

/// <summary>
/// One record on its way into canonical form. The text goes straight to its place; where the message comes before the
/// source, it waits behind the longest source's room.
/// </summary>
internal ref struct RecordWriter(Span<byte> record, bool isAscii)
{
    private const int ExactDigits = 767;

    private readonly Span<byte> _record = record;
    private ulong _id;
    private ulong _timestampUs;
    private double _value;
    private int _kind;
    private int _flags;
    private int _sourceBytes = -1;
    private int _messageBytes;
    private int _messageStart;

    /// <summary>Distance to the next record.</summary>
    public readonly int StrideBytes => RecordForm.Stride(_sourceBytes + _messageBytes);

    /// <summary>Reads the value on which the reader stands.</summary>
    public BatchError ReadValue(ref Utf8JsonReader reader, int key)
    {
        JsonTokenType wanted = key switch
        {
            Keys.Id or Keys.Timestamp or Keys.Value => JsonTokenType.Number,
            Keys.Flags => JsonTokenType.StartArray,
            _ => JsonTokenType.String,
        };
        if (reader.TokenType != wanted)
        {
            return BatchError.Type;
        }
        switch (key)
        {
            case Keys.Id:
                return reader.TryGetUInt64(out _id) && _id <= Contract.IdMax && !IsNegative(ref reader)
                           ? BatchError.None : BatchError.IntegerRange;
            case Keys.Timestamp:
                return reader.TryGetUInt64(out _timestampUs) && _timestampUs <= Contract.TimestampUsMax && !IsNegative(ref reader)
                           ? BatchError.None : BatchError.IntegerRange;
            case Keys.Value:
                // A number beyond all doubles reads as an infinity, which the limit refuses, too.
                return TryGetDouble(ref reader, out _value) && Math.Abs(_value) <= Contract.ValueLimit
                           ? BatchError.None : BatchError.ValueRange;
            case Keys.Kind:
                _kind = Words.KindCode(ref reader);
                return _kind >= 0 ? BatchError.None : BatchError.Kind;
            case Keys.Source:
                _sourceBytes = Copy(ref reader, _record[RecordForm.HeadBytes..]);
                return _sourceBytes is >= Contract.SourceBytesMin and <= Contract.SourceBytesMax
                           ? BatchError.None : BatchError.Length;
            case Keys.Message:
                int sourceRoom = _sourceBytes >= 0 ? _sourceBytes : Contract.SourceBytesMax;
                _messageStart = RecordForm.HeadBytes + sourceRoom;
                _messageBytes = Copy(ref reader, _record[_messageStart..]);
                return _messageBytes <= Contract.MessageBytesMax ? BatchError.None : BatchError.Length;
            default:
                return ReadFlags(ref reader);
        }
    }

    /// <summary>All seven values are there: writes the head and adds the totals. Returns the digest.</summary>
    public readonly ulong Finish(ref Totals totals)
    {
        ulong valueBits = BitConverter.DoubleToUInt64Bits(_value);
        int messageStart = RecordForm.HeadBytes + _sourceBytes;
        if (_messageStart != messageStart)
        {
            _record.Slice(_messageStart, _messageBytes).CopyTo(_record[messageStart..]);
        }
        RecordForm.WriteHead(_record, _id, _timestampUs, valueBits, _kind, _flags, _sourceBytes, _messageBytes);
        totals.AddRecord(_timestampUs, valueBits, _kind, _flags, _sourceBytes, _messageBytes);
        return RecordForm.Digest(_record[..(messageStart + _messageBytes)]);
    }

    // CopyString unescapes, and checks that what comes out is UTF-8; where there is nothing to do of either, bytes are
    // copied.
    private readonly int Copy(ref Utf8JsonReader reader, Span<byte> text)
    {
        if (!isAscii || reader.ValueIsEscaped)
        {
            return reader.CopyString(text);
        }
        ReadOnlySpan<byte> value = reader.ValueSpan;
        value.CopyTo(text);
        return value.Length;
    }

    // The reader's own conversion (Utf8Parser) is exact up to this number of digits; beyond it, a number in the middle
    // between two doubles goes the wrong way. double.Parse is always exact.
    private static bool TryGetDouble(ref Utf8JsonReader reader, out double value) =>
        reader.ValueSpan.Length <= ExactDigits
            ? reader.TryGetDouble(out value)
            : double.TryParse(reader.ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture, out value);

    // -0 would be read as 0.
    private static bool IsNegative(ref Utf8JsonReader reader) => reader.ValueSpan[0] == (byte)'-';

    private BatchError ReadFlags(ref Utf8JsonReader reader)
    {
        while (true)
        {
            _ = reader.Read();
            if (reader.TokenType == JsonTokenType.EndArray)
            {
                return BatchError.None;
            }
            if (reader.TokenType != JsonTokenType.String)
            {
                return BatchError.Type;
            }
            int bit = Words.FlagBit(ref reader);
            if (bit < 0)
            {
                return BatchError.Flag;
            }
            if ((_flags & (1 << bit)) != 0)
            {
                return BatchError.FlagTwice;
            }
            _flags |= 1 << bit;
        }
    }
}
