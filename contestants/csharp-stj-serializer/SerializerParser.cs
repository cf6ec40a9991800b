using System.Collections.Generic;
using System.Text.Json;
using MatchRace.Common;

namespace MatchRace.StjSerializer;

/// <summary>JsonSerializer into records of C#, by what its source generator made; these into canonical form.</summary>
internal readonly struct SerializerParser : IBatchParser<RecordsPlace>
{
    private readonly RecordsWriter _writer = new();

    public SerializerParser()
    {
    }

    public string? Kernel => null;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        _writer.Open(place, payload.Bytes);
        BatchError error;
        try
        {
            error = Add(JsonSerializer.Deserialize(payload.Json, RecordContext.Default.ListRecord));
        }
        catch (JsonException fault)
        {
            // The library says in words only why, and where in a line.
            error = fault is RejectedException rejected ? rejected.Error
                    : payload.Bytes == 0               ? BatchError.Empty
                                                       : BatchError.Rejected;
        }
        if (error != BatchError.None)
        {
            result.Reject(error, _writer.Count);
            return;
        }
        _writer.Accept(ref result);
    }

    // No list, or no record in it: null is no value anywhere, and the library looks at properties alone.
    private BatchError Add(List<Record?>? records)
    {
        if (records is null)
        {
            return BatchError.Type;
        }
        foreach (Record? record in records)
        {
            BatchError error = record is null
                ? BatchError.Type
                : _writer.Add(record.Id, record.TimestampUs, record.Source, (int)record.Kind, record.Value, (int)record.Flags, record.Message);
            if (error != BatchError.None)
            {
                return error;
            }
        }
        return BatchError.None;
    }
}
