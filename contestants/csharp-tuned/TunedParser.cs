// TunedParser.cs: the parser of Record/ behind the interface that all C# contestants share.
using System;
using MatchRace.Common;

namespace MatchRace.Tuned;

/// <summary>Reads the text where it was received and writes the records where they are kept.</summary>
internal readonly unsafe struct TunedParser : IBatchParser<RecordsPlace>
{
    private readonly Parser _parser;

    public TunedParser(string? kernel)
    {
        try
        {
            _parser = Parser.Create(kernel);
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

    public string? Kernel => _parser.KernelName;

    public void Parse(in Payload payload, RecordsPlace place, ref BatchResult result)
    {
        Span<byte> records = place.Open(RecordForm.Capacity(payload.Bytes));
        Result parsed;
        fixed (byte* memory = payload.Memory, to = records)
        {
            _parser.Parse(memory + payload.Start, (nuint)payload.Bytes, to, &parsed);
            if (parsed.Error != Error.Ok)
            {
                result.Reject((BatchError)parsed.Error, parsed.ErrorRecord, parsed.ErrorOffset);
                return;
            }
            TakeTotals(&parsed, to, ref result);
        }
        place.Close((int)parsed.UsedBytes, parsed.Records);
        result.Records = parsed.Records;
        result.Digest = parsed.Digest;
    }

    // Both are struct mr_totals. Where the kernel makes no totals they are made here, from the records.
    private static void TakeTotals(Result* parsed, byte* records, ref BatchResult result)
    {
        result.HasTotals = true;
        if (parsed->Totals != null)
        {
            result.Totals = *(Common.Totals*)parsed->Totals;
            return;
        }
        result.Totals.Clear();
        fixed (Common.Totals* totals = &result.Totals)
        {
            Totaling.AddRecords((Totals*)totals, records, parsed->Records);
        }
    }
}
