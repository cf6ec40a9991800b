// KernelSums.cs: kernel_sums.h: what the records of a batch add to the totals, made by the vector kernels on their way,
// while the records' heads are still near. The registers are each kernel's own; how they end in totals is the same.
using System;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>
/// Eight elements of each sum. Of the extremes the lower four are timestamps, the upper four values as signed numbers of
/// the same order.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct SumsColumns
{
    public fixed long Least[8];
    public fixed long Most[8];
    public fixed ulong Values[8];

    /// <summary>source_bytes + 2^16 · message_bytes.</summary>
    public fixed ulong Texts[8];

    public fixed ulong Messages[8];
    public fixed ulong KindsSeen[8];

    /// <summary>Writes all of <paramref name="totals"/> that comes of the records but counts of kinds and flags.</summary>
    public static void Write(SumsColumns* columns, ulong records, Totals* totals)
    {
        if (records == 0)
        {
            return;
        }
        for (int i = 0; i < 8; i++)
        {
            if ((byte)columns->KindsSeen[i] >= Contract.KindCount)
            {
                throw new InvalidOperationException("A record of an unknown kind was written: a fault of the kernel.");
            }
        }
        totals->Records = records;
        totals->MessageBytes = SumOf(columns->Messages);
        totals->SourceBytes = SumOf(columns->Texts) - (totals->MessageBytes << 16);
        totals->TimestampMin = (ulong)LowestOf(columns->Least, 1);
        totals->TimestampMax = (ulong)LowestOf(columns->Most, -1);
        totals->ValueMinBits = BitsOfOrder(LowestOf(columns->Least + 4, 1));
        totals->ValueMaxBits = BitsOfOrder(LowestOf(columns->Most + 4, -1));
        totals->ValueSum = SumOf(columns->Values);
    }

    /// <summary>Adds each byte of <paramref name="bytes"/> to the count of its code.</summary>
    public static void AddByteCounts(ulong* counts, ulong bytes)
    {
        for (int code = 0; code < 8; code++)
        {
            counts[code] += bytes >> 8 * code & 0xFF;
        }
    }

    private static ulong SumOf(ulong* column)
    {
        ulong sum = 0;
        for (int i = 0; i < 8; i++)
        {
            sum += column[i];
        }
        return sum;
    }

    // The lowest of four; of the highest ask with `sign` -1 (no element is long.MinValue).
    private static long LowestOf(long* column, long sign)
    {
        long lowest = column[0] * sign;
        for (int i = 1; i < 4; i++)
        {
            lowest = column[i] * sign < lowest ? column[i] * sign : lowest;
        }
        return lowest * sign;
    }

    // The bits of the value that `order` stands for.
    private static ulong BitsOfOrder(long order) => (ulong)order ^ ((ulong)(order >> 63) >> 1);
}
