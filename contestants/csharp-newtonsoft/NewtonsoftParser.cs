using System.IO;
using System.Text;
using MatchRace.Common;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson;

/// <summary>JsonTextReader over a StreamReader that refuses what is not UTF-8.</summary>
internal readonly struct NewtonsoftParser : IBatchParser<RecordsPlace>
{
    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly RecordsWriter _writer = new();

    public NewtonsoftParser()
    {
    }

    public string? Kernel => null;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        _writer.Open(place, payload.Bytes);
        using MemoryStream stream = new(payload.Memory, payload.Start, payload.Bytes, writable: false);
        using StreamReader text = new(stream, s_strict, detectEncodingFromByteOrderMarks: false);
        using JsonTextReader reader = new(text);
        BatchReader.Set(reader);
        BatchError error = BatchReader.Read(reader, _writer);
        if (error != BatchError.None)
        {
            result.Reject(error, _writer.Count);
            return;
        }
        _writer.Accept(ref result);
    }
}
