using System.Buffers;
using System.Text.Unicode;
using MatchRace.Common;
using MatchRace.NewtonsoftJson;

namespace MatchRace.NewtonsoftStrict;

/// <summary>The batch decoded as a whole, so that each token's text is at hand, and read as csharp-newtonsoft reads it.</summary>
internal readonly struct StrictParser : IBatchParser<RecordsPlace>
{
    private readonly RecordsWriter _writer = new();

    public StrictParser()
    {
    }

    public string? Kernel => null;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        _writer.Open(place, payload.Bytes);
        BatchError error = Read(payload);
        if (error != BatchError.None)
        {
            result.Reject(error, _writer.Count);
            return;
        }
        _writer.Accept(ref result);
    }

    // No text has more UTF-16 units than bytes of UTF-8.
    private BatchError Read(in Payload payload)
    {
        char[] text = ArrayPool<char>.Shared.Rent(payload.Bytes);
        try
        {
            return Utf8.ToUtf16(payload.Json, text, out _, out int length, replaceInvalidSequences: false) == OperationStatus.Done
                       ? Read(text, length) : BatchError.Utf8;
        }
        finally
        {
            ArrayPool<char>.Shared.Return(text);
        }
    }

    private BatchError Read(char[] text, int length)
    {
        using StrictTextReader reader = new(text, length);
        BatchReader.Set(reader);
        try
        {
            return BatchReader.Read(reader, _writer);
        }
        catch (RejectedException rejected)
        {
            return rejected.Error;
        }
    }
}
