// Totaling.cs: the totals of docs/PROTOCOL.md, section 3; every field is independent of the order; totals.c.
using System;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class Totaling
{
    private const double ValueSumScale = 1024.0;

    // Eight counters in the bytes of one word, for at most so many records.
    private const uint LaneMax = 255;

    private const ulong Ones = 0x0101010101010101;

    /// <summary>
    /// Orders binary64 bit patterns as numbers, -0.0 below +0.0, by the order of unsigned integers: mr_value_order().
    /// </summary>
    public static ulong ValueOrder(ulong bits) => bits >> 63 != 0 ? ~bits : bits | 1UL << 63;

    /// <summary>The same order as signed integers; it is its own inverse.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long SignedOrder(long bits) => bits ^ (long)((ulong)(bits >> 63) >> 1);

    // Widens the four extremes to hold those of `by`. The first record sets them, for they mean nothing before.
    private static void Widen(Totals* totals, Totals* by)
    {
        bool first = totals->Records == 0;
        if (first || by->TimestampMin < totals->TimestampMin)
        {
            totals->TimestampMin = by->TimestampMin;
        }
        if (first || by->TimestampMax > totals->TimestampMax)
        {
            totals->TimestampMax = by->TimestampMax;
        }
        if (first || ValueOrder(by->ValueMinBits) < ValueOrder(totals->ValueMinBits))
        {
            totals->ValueMinBits = by->ValueMinBits;
        }
        if (first || ValueOrder(by->ValueMaxBits) > ValueOrder(totals->ValueMaxBits))
        {
            totals->ValueMaxBits = by->ValueMaxBits;
        }
    }

    /// <summary>Adds every field of <paramref name="other"/>.</summary>
    public static void Add(Totals* totals, Totals* other)
    {
        if (other->Records > 0)
        {
            Widen(totals, other);
        }
        totals->BatchesAccepted += other->BatchesAccepted;
        totals->BatchesRejected += other->BatchesRejected;
        totals->Records += other->Records;
        totals->PayloadBytes += other->PayloadBytes;
        totals->Digest += other->Digest;
        for (int i = 0; i < Contract.KindCount; i++)
        {
            totals->Kinds[i] += other->Kinds[i];
            totals->Flags[i] += other->Flags[i];
        }
        totals->SourceBytes += other->SourceBytes;
        totals->MessageBytes += other->MessageBytes;
        totals->ValueSum += other->ValueSum;
    }

    // 1 in lane i for each bit i of `bits`: lane i gets a copy of the bits, of which it keeps bit i; adding 127 carries
    // it, wherever it stands, to the lane's top.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LanesOfBits(byte bits)
    {
        ulong kept = Ones * bits & 0x8040201008040201;
        return kept + 0x7F7F7F7F7F7F7F7F >> 7 & Ones;
    }

    private static void AddLanes(ulong* counts, ulong lanes)
    {
        for (int i = 0; i < 8; i++)
        {
            counts[i] += lanes >> 8 * i & 0xFF;
        }
    }

    // Adds `count` >= 1 records, at most LaneMax, and returns what is behind them.
    private static byte* AddLane(Totals* totals, byte* at, uint count)
    {
        ulong kindLanes = 0;
        ulong flagLanes = 0;
        ulong kindsSeen = 0;
        ulong textBytes = 0;
        ulong messageBytes = 0;
        ulong valueSum = 0;
        ulong timestampMin = ulong.MaxValue;
        ulong timestampMax = 0;
        long orderMin = long.MaxValue;
        long orderMax = long.MinValue;
        for (uint i = 0; i < count; i++)
        {
            Record* record = (Record*)at;
            ulong small = Swar.Load(&record->Kind); // kind, flags, source bytes, message bytes
            ulong ownTextBytes = (ushort)(small >> 16) + (small >> 32);
            ulong timestamp = record->TimestampUs;
            long order = SignedOrder((long)record->ValueBits);
            timestampMin = Math.Min(timestampMin, timestamp);
            timestampMax = Math.Max(timestampMax, timestamp);
            orderMin = Math.Min(orderMin, order);
            orderMax = Math.Max(orderMax, order);
            kindsSeen |= small;
            kindLanes += 1UL << 8 * ((byte)small % 8);
            flagLanes += LanesOfBits((byte)(small >> 8));
            messageBytes += small >> 32;
            textBytes += ownTextBytes;
            // No value is beyond ±2^60 here: the conversion needs no care for those that are.
            double scaled = BitConverter.UInt64BitsToDouble(record->ValueBits) * ValueSumScale;
            valueSum += (ulong)double.ConvertToIntegerNative<long>(scaled);
            at += Contract.RecordHeadBytes + ownTextBytes + 7 & ~7UL;
        }
        Reader.Check((byte)kindsSeen < Contract.KindCount);
        Totals by = new()
        {
            Records = count,
            SourceBytes = textBytes - messageBytes,
            MessageBytes = messageBytes,
            TimestampMin = timestampMin,
            TimestampMax = timestampMax,
            ValueMinBits = (ulong)SignedOrder(orderMin),
            ValueMaxBits = (ulong)SignedOrder(orderMax),
            ValueSum = valueSum,
        };
        AddLanes(by.Kinds, kindLanes);
        AddLanes(by.Flags, flagLanes);
        Add(totals, &by);
        return at;
    }

    /// <summary>Adds records that follow each other, without digests.</summary>
    public static void AddRecords(Totals* totals, byte* records, uint count)
    {
        byte* at = records;
        while (count > 0)
        {
            uint part = count < LaneMax ? count : LaneMax;
            at = AddLane(totals, at, part);
            count -= part;
        }
    }

    /// <summary>Adds an accepted batch: its records, their digest, its JSON bytes: mr_totals_accept().</summary>
    public static void Accept(Totals* totals, byte* records, uint count, ulong digest, ulong payloadBytes)
    {
        AddRecords(totals, records, count);
        totals->BatchesAccepted++;
        totals->Digest += digest;
        totals->PayloadBytes += payloadBytes;
    }

    /// <summary>
    /// Adds an accepted batch as its parser says it: by its totals where it made them, else from its records:
    /// mr_totals_accept_result().
    /// </summary>
    public static void AcceptResult(Totals* totals, byte* records, Result* result, ulong payloadBytes)
    {
        Reader.Check(result->Error == Error.Ok);
        Totals* made = result->Totals;
        if (made == null)
        {
            Accept(totals, records, result->Records, result->Digest, payloadBytes);
            return;
        }
        Reader.Check(made->Records == result->Records && made->Digest == result->Digest);
        Reader.Check(made->PayloadBytes == payloadBytes && made->BatchesAccepted == 1);
        Add(totals, made);
    }
}
