using System;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.Stj;

/// <summary>Utf8JsonReader over a batch, token by token; the library's refusals are exceptions.</summary>
internal readonly struct StjParser : IBatchParser<RecordsPlace>
{
    public string? Kernel => null;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        Span<byte> records = place.Open(RecordForm.Capacity(payload.Bytes));
        BatchReader reader = new(payload.Json, records);
        BatchError error;
        result.Totals.Clear();
        try
        {
            error = reader.Read(ref result.Totals);
        }
        catch (JsonException)
        {
            error = payload.Bytes == 0 ? BatchError.Empty : BatchError.Syntax;
        }
        catch (InvalidOperationException)
        {
            // So the library says that a string isn't valid UTF-8, or names half of a surrogate pair.
            error = BatchError.Utf8;
        }
        if (error != BatchError.None)
        {
            result.Reject(error, reader.Count, (ulong)reader.Offset);
            return;
        }
        place.Close(reader.UsedBytes, reader.Count);
        result.Records = reader.Count;
        result.Digest = reader.Digest;
        result.HasTotals = true;
    }
}
