using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson;

/// <summary>One record, token by token, from a reader that stands on its opening brace.</summary>
internal struct RecordReader(JsonTextReader reader)
{
    private const int AllKeys = (1 << Words.KeyCount) - 1;

    private ulong _id;
    private ulong _timestampUs;
    private string _source = "";
    private int _kind;
    private double _value;
    private int _flags;
    private string _message = "";

    /// <summary>Reads up to the closing brace and adds the record.</summary>
    /// <exception cref="JsonReaderException">The library refuses the text.</exception>
    public BatchError Read(RecordsWriter writer)
    {
        int seen = 0;
        while (reader.Read() && reader.TokenType != JsonToken.EndObject)
        {
            if (reader.TokenType != JsonToken.PropertyName)
            {
                return BatchError.Syntax;
            }
            int key = Words.Key((string)reader.Value!);
            if (key < 0)
            {
                return BatchError.KeyUnknown;
            }
            if ((seen & (1 << key)) != 0)
            {
                return BatchError.KeyTwice;
            }
            seen |= 1 << key;
            BatchError error = key == Words.Value ? ReadNumber() : reader.Read() ? ReadValue(key) : BatchError.Truncated;
            if (error != BatchError.None)
            {
                return error;
            }
        }
        return seen != AllKeys ? BatchError.KeyMissing
                               : writer.Add(_id, _timestampUs, _source, _kind, _value, _flags, _message);
    }

    private BatchError ReadValue(int key) => key switch
    {
        Words.Id => ReadInteger(out _id),
        Words.Timestamp => ReadInteger(out _timestampUs),
        Words.Source => ReadText(out _source),
        Words.Kind => ReadKind(),
        Words.Flags => ReadFlags(),
        _ => ReadText(out _message),
    };

    // A negative number becomes one beyond all limits; one beyond 64 bits is a BigInteger.
    private readonly BatchError ReadInteger(out ulong value)
    {
        value = 0;
        if (reader.TokenType != JsonToken.Integer)
        {
            return BatchError.Type;
        }
        if (reader.Value is not long integer)
        {
            return BatchError.IntegerRange;
        }
        value = (ulong)integer;
        return BatchError.None;
    }

    private readonly BatchError ReadText(out string text)
    {
        text = reader.TokenType == JsonToken.String ? (string)reader.Value! : "";
        return reader.TokenType == JsonToken.String ? BatchError.None : BatchError.Type;
    }

    private BatchError ReadKind()
    {
        _kind = reader.TokenType == JsonToken.String ? Words.KindCode((string)reader.Value!) : -1;
        return _kind >= 0 ? BatchError.None : BatchError.Kind;
    }

    // Asked for a double, the library makes none of an integer's token, where −0 would lose its sign.
    private BatchError ReadNumber()
    {
        double? number = reader.ReadAsDouble();
        _value = number.GetValueOrDefault();
        return number.HasValue ? BatchError.None : BatchError.Type;
    }

    private BatchError ReadFlags()
    {
        if (reader.TokenType != JsonToken.StartArray)
        {
            return BatchError.Type;
        }
        while (reader.Read() && reader.TokenType != JsonToken.EndArray)
        {
            int bit = reader.TokenType == JsonToken.String ? Words.FlagBit((string)reader.Value!) : -1;
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
        return BatchError.None;
    }
}
