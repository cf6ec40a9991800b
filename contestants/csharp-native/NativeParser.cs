using System;
using System.Runtime.InteropServices;
using MatchRace.Common;
using MatchRace.Record;

namespace MatchRace.Native;

/// <summary>One call into the C parser a batch: it reads the text where it was received and writes the records where they
/// are kept.</summary>
internal readonly struct NativeParser : IBatchParser<RecordsPlace>
{
    private readonly BatchParser _parser;

    public NativeParser(string? kernel)
    {
        try
        {
            _parser = new BatchParser(kernel);
        }
        catch (ArgumentException e)
        {
            throw new KernelException(e.Message, isKnown: false);
        }
        catch (PlatformNotSupportedException e)
        {
            throw new KernelException(e.Message, isKnown: true);
        }
    }

    /// <summary>The native library is made of the same tree.</summary>
    public static string LibraryVersion => typeof(BatchParser).Assembly.GetName().Version!.ToString(3);

    public string? Kernel => _parser.Kernel;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        Span<byte> records = place.Open(RecordForm.Capacity(payload.Bytes));
        PaddedJson json = new(payload.Memory, payload.Start, payload.Bytes);
        if (!_parser.TryParse(json, records, out ParsedBatch parsed, out Rejection rejection))
        {
            result.Reject((BatchError)rejection.Reason, (uint)rejection.RecordIndex, (ulong)rejection.ByteOffset);
            return;
        }
        place.Close(parsed.UsedBytes, (uint)parsed.Count);
        result.Records = (uint)parsed.Count;
        result.Digest = parsed.Digest;
        result.HasTotals = parsed.HasTotals;
        if (parsed.HasTotals)
        {
            // The same struct of contract.h in either library.
            result.Totals = MemoryMarshal.Cast<BatchTotals, Totals>(new ReadOnlySpan<BatchTotals>(in _parser.LastTotals))[0];
        }
    }
}
