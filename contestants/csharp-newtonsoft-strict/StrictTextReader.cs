using System;
using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftStrict;

/// <summary>
/// A JsonTextReader whose every token is looked at again in the text, between where the one before ended and where it ends:
/// the library takes white space, commas, quotes, escapes, numbers and comments that JSON does not have.
/// </summary>
internal sealed class StrictTextReader(char[] text, int length) : JsonTextReader(new BatchText(text, length))
{
    private int _at;
    private bool _wantsComma;

    /// <exception cref="RejectedException">The library takes what JSON is not.</exception>
    public override bool Read()
    {
        if (!base.Read())
        {
            // What is left was white space to the library.
            Demand(RawText.SpaceLength(text.AsSpan(_at, length - _at)) == length - _at, BatchError.Trailing);
            return false;
        }
        Look();
        return true;
    }

    /// <exception cref="RejectedException">The library takes what JSON is not.</exception>
    public override double? ReadAsDouble()
    {
        double? value = base.ReadAsDouble();
        Look();
        return value;
    }

    private void Look()
    {
        // One line: the place in it is the place in the text.
        int end = LinePosition;
        ReadOnlySpan<char> raw = text.AsSpan(_at, end - _at);
        _at = end;
        raw = raw[RawText.SpaceLength(raw)..];
        if (TokenType is JsonToken.EndArray or JsonToken.EndObject)
        {
            Demand(raw.Length == 1, BatchError.Syntax);
            _wantsComma = true;
            return;
        }
        if (_wantsComma)
        {
            Demand(raw.StartsWith(','), BatchError.Syntax);
            raw = raw[1..];
            raw = raw[RawText.SpaceLength(raw)..];
        }
        _wantsComma = TokenType is not (JsonToken.PropertyName or JsonToken.StartArray or JsonToken.StartObject);
        Check(raw);
    }

    private void Check(ReadOnlySpan<char> raw)
    {
        switch (TokenType)
        {
            case JsonToken.StartArray or JsonToken.StartObject:
                Demand(raw.Length == 1, BatchError.Syntax);
                break;
            case JsonToken.PropertyName:
                // Without its colon.
                CheckString(raw[..^1].TrimEnd(" \t\r\n"));
                break;
            case JsonToken.String:
                CheckString(raw);
                break;
            case JsonToken.Integer or JsonToken.Float:
                Demand(RawText.IsNumber(raw), BatchError.Number);
                // No record's integer has a sign, and the library's have no such zero.
                Demand(TokenType == JsonToken.Float || raw[0] != '-', BatchError.IntegerRange);
                break;
            default:
                throw new RejectedException(BatchError.Type);
        }
    }

    private static void CheckString(ReadOnlySpan<char> raw)
    {
        Demand(raw.Length >= 2 && raw[0] == '"' && raw[^1] == '"', BatchError.Syntax);
        BatchError error = RawText.CheckString(raw[1..^1]);
        Demand(error == BatchError.None, error);
    }

    private static void Demand(bool isSo, BatchError error)
    {
        if (!isSo)
        {
            throw new RejectedException(error);
        }
    }
}
