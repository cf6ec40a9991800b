// KernelTotals.cs: what the few records that no eight was full of add to the totals; mr_totals_accept() of lib/contract.
using System;

namespace MatchRace.Tuned;

internal static unsafe class KernelTotals
{
    /// <summary>Adds an accepted batch: records, their digest, its JSON bytes.</summary>
    internal static void Accept(Totals* totals, byte* records, uint count, ulong digest, ulong payloadBytes)
    {
        for (; count > 0; count--)
        {
            Record* record = (Record*)records;
            AddRecord(totals, record);
            records += Contract.RecordStride(record);
        }
        totals->BatchesAccepted++;
        totals->Digest += digest;
        totals->PayloadBytes += payloadBytes;
    }

    private static void AddRecord(Totals* totals, Record* record)
    {
        if (record->Kind >= Contract.KindCount)
        {
            throw new InvalidOperationException("A record of an unknown kind was written: a fault of the kernel.");
        }
        Widen(totals, record);
        totals->Records++;
        totals->Kinds[record->Kind]++;
        for (int flag = 0; flag < Contract.FlagCount; flag++)
        {
            totals->Flags[flag] += (uint)record->Flags >> flag & 1;
        }
        totals->SourceBytes += record->SourceBytes;
        totals->MessageBytes += record->MessageBytes;
        totals->ValueSum += (ulong)(long)(BitConverter.UInt64BitsToDouble(record->ValueBits) * 1024.0);
    }

    // The first record sets the four extremes, for they mean nothing before.
    private static void Widen(Totals* totals, Record* record)
    {
        bool first = totals->Records == 0;
        long order = OrderOf(record->ValueBits);
        if (first || record->TimestampUs < totals->TimestampMin)
        {
            totals->TimestampMin = record->TimestampUs;
        }
        if (first || record->TimestampUs > totals->TimestampMax)
        {
            totals->TimestampMax = record->TimestampUs;
        }
        if (first || order < OrderOf(totals->ValueMinBits))
        {
            totals->ValueMinBits = record->ValueBits;
        }
        if (first || order > OrderOf(totals->ValueMaxBits))
        {
            totals->ValueMaxBits = record->ValueBits;
        }
    }

    // Orders bit patterns of numbers as the numbers, -0.0 below +0.0.
    private static long OrderOf(ulong bits) => (long)(bits ^ ((ulong)((long)bits >> 63) >> 1));
}
