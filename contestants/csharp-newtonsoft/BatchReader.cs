using System.Text;
using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson;

/// <summary>A batch, token by token, from a JsonTextReader.</summary>
internal static class BatchReader
{
    /// <summary>Settings of a reader that only passes tokens on: no dates, no doubles as decimals, nothing deeper than flags.</summary>
    public static void Set(JsonTextReader reader)
    {
        reader.ArrayPool = CharPool.Shared;
        reader.PropertyNameTable = Words.Names;
        reader.DateParseHandling = DateParseHandling.None;
        reader.FloatParseHandling = FloatParseHandling.Double;
        reader.MaxDepth = 3;
    }

    /// <summary>Reads the batch into <paramref name="writer"/>.</summary>
    public static BatchError Read(JsonTextReader reader, RecordsWriter writer)
    {
        try
        {
            return ReadRecords(reader, writer);
        }
        catch (JsonReaderException)
        {
            // The library says in words only why.
            return BatchError.Syntax;
        }
        catch (DecoderFallbackException)
        {
            return BatchError.Utf8;
        }
    }

    private static BatchError ReadRecords(JsonTextReader reader, RecordsWriter writer)
    {
        if (!reader.Read())
        {
            return BatchError.Empty;
        }
        if (reader.TokenType != JsonToken.StartArray)
        {
            return BatchError.Type;
        }
        while (true)
        {
            if (!reader.Read())
            {
                return BatchError.Truncated;
            }
            if (reader.TokenType == JsonToken.EndArray)
            {
                break;
            }
            if (reader.TokenType != JsonToken.StartObject)
            {
                return BatchError.Type;
            }
            BatchError error = new RecordReader(reader).Read(writer);
            if (error != BatchError.None)
            {
                return error;
            }
        }
        // Once more, so that the reader looks at what stands behind the array.
        return reader.Read() ? BatchError.Trailing : BatchError.None;
    }
}
