using System;
using System.Runtime.InteropServices;

namespace MatchRace.Record;

// Whether the library that was loaded is the one that this assembly was written for. A struct that differs would not fail,
// it would overwrite memory: so it is asked before the first call.
internal static unsafe class NativeLayout
{
    // What this assembly believes.
    internal static readonly NativeAbi Expected = new()
    {
        Version = 0,
        AbiBytes = (uint)sizeof(NativeAbi),
        RecordBytes = RecordView.HeadBytes,
        RecordLast = RecordView.MessageBytesOffset,
        ResultBytes = (uint)sizeof(NativeResult),
        ResultLast = (uint)Marshal.OffsetOf<NativeResult>(nameof(NativeResult.Totals)),
        TotalsBytes = (uint)sizeof(BatchTotals),
        TotalsLast = (uint)Marshal.OffsetOf<BatchTotals>(nameof(BatchTotals.ValueSum)),
        PadFrontBytes = PaddedJson.PadBytes,
        PadBackBytes = PaddedJson.PadBytes,
        SlackBytes = RecordSequence.SlackBytes,
    };

    private static readonly string? s_difference = Compare(*Native.Abi(), Expected);

    // Throws where the library that was loaded is another one.
    internal static void Check()
    {
        if (s_difference is not null)
        {
            throw new NotSupportedException(s_difference);
        }
    }

    // Null: they agree.
    internal static string? Compare(in NativeAbi actual, in NativeAbi expected)
    {
        if (actual.Version != expected.Version)
        {
            return $"libmatchrace.so has version {actual.Version} of its ABI; this MatchRace.Record was made for {expected.Version}";
        }
        ReadOnlySpan<uint> left = MemoryMarshal.Cast<NativeAbi, uint>(MemoryMarshal.CreateReadOnlySpan(in actual, 1));
        ReadOnlySpan<uint> right = MemoryMarshal.Cast<NativeAbi, uint>(MemoryMarshal.CreateReadOnlySpan(in expected, 1));
        int differs = left.CommonPrefixLength(right);
        return differs == left.Length
            ? null
            : $"libmatchrace.so lies differently in memory than this MatchRace.Record was made for (field {differs} of mr_abi: " +
              $"{left[differs]}, not {right[differs]})";
    }
}
