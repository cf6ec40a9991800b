using System;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MatchRace.Common;
using MatchRace.Stj;

namespace MatchRace.StjSerializer;

// Where the library has no option: each takes less than the library's own converter of its type.

/// <summary>An integer written with digits alone: the library takes −0 as 0.</summary>
internal sealed class DigitsConverter : JsonConverter<ulong>
{
    public override ulong Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.Number)
        {
            throw new RejectedException(BatchError.Type);
        }
        return reader.ValueSpan[0] != (byte)'-' && reader.TryGetUInt64(out ulong value)
                   ? value : throw new RejectedException(BatchError.IntegerRange);
    }

    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(value);
}

/// <summary>A double as it is written: the library's conversion is exact up to 767 digits, double.Parse always.</summary>
internal sealed class ExactDoubleConverter : JsonConverter<double>
{
    private const int ExactDigits = 767;

    public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.Number)
        {
            throw new RejectedException(BatchError.Type);
        }
        return reader.ValueSpan.Length <= ExactDigits
                   ? reader.GetDouble()
                   : double.Parse(reader.ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture);
    }

    public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options) =>
        writer.WriteNumberValue(value);
}

/// <summary>One of eight words, case-sensitive: the library's converter of enumerations also takes other cases.</summary>
internal sealed class KindConverter : JsonConverter<Kind>
{
    public override Kind Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        int code = reader.TokenType == JsonTokenType.String ? Words.KindCode(ref reader) : -1;
        return code >= 0 ? (Kind)code : throw new RejectedException(BatchError.Kind);
    }

    public override void Write(Utf8JsonWriter writer, Kind value, JsonSerializerOptions options) =>
        writer.WriteStringValue(Contract.KindNames[(int)value]);
}

/// <summary>An array of different words, as bits.</summary>
internal sealed class FlagsConverter : JsonConverter<Flags>
{
    public override Flags Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new RejectedException(BatchError.Type);
        }
        Flags flags = Flags.None;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            int bit = reader.TokenType == JsonTokenType.String ? Words.FlagBit(ref reader) : -1;
            if (bit < 0)
            {
                throw new RejectedException(BatchError.Flag);
            }
            Flags flag = (Flags)(1 << bit);
            if ((flags & flag) != 0)
            {
                throw new RejectedException(BatchError.FlagTwice);
            }
            flags |= flag;
        }
        return flags;
    }

    public override void Write(Utf8JsonWriter writer, Flags value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        for (int bit = 0; bit < Contract.FlagCount; bit++)
        {
            if (((int)value & (1 << bit)) != 0)
            {
                writer.WriteStringValue(Contract.FlagNames[bit]);
            }
        }
        writer.WriteEndArray();
    }
}
