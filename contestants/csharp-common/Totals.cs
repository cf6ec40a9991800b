using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Common;

/// <summary>Eight counts, one a kind or a flag.</summary>
[InlineArray(8)]
public struct EightCounts
{
    private ulong _first;
}

/// <summary>
/// The numbers of docs/PROTOCOL.md, section 3; laid out as struct mr_totals of contract.h. The four extremes mean nothing
/// while <see cref="Records"/> is 0.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
public struct Totals
{
    public ulong BatchesAccepted;
    public ulong BatchesRejected;
    public ulong Records;
    public ulong PayloadBytes;
    public ulong Digest;
    public EightCounts Kinds;
    public EightCounts Flags;
    public ulong SourceBytes;
    public ulong MessageBytes;
    public ulong TimestampMin;
    public ulong TimestampMax;

    /// <summary>Compared as numbers, −0.0 below +0.0.</summary>
    public ulong ValueMinBits;
    public ulong ValueMaxBits;

    /// <summary>Sum mod 2^64 of trunc(value × 1024) as signed integers.</summary>
    public ulong ValueSum;

    /// <summary>Totals of nothing.</summary>
    public void Clear()
    {
        this = default;
        TimestampMin = ulong.MaxValue;
        ValueMinBits = 0x7FF0_0000_0000_0000; // +infinity: no value is beyond
        ValueMaxBits = 0xFFF0_0000_0000_0000;
    }

    /// <summary>Adds one record of an accepted batch, without its digest.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddRecord(ulong timestampUs, ulong valueBits, int kind, int flags, int sourceBytes, int messageBytes)
    {
        Records++;
        SourceBytes += (uint)sourceBytes;
        MessageBytes += (uint)messageBytes;
        TimestampMin = Math.Min(TimestampMin, timestampUs);
        TimestampMax = Math.Max(TimestampMax, timestampUs);
        if (ValueOrder(valueBits) < ValueOrder(ValueMinBits))
        {
            ValueMinBits = valueBits;
        }
        if (ValueOrder(valueBits) > ValueOrder(ValueMaxBits))
        {
            ValueMaxBits = valueBits;
        }
        ValueSum += (ulong)(long)(BitConverter.UInt64BitsToDouble(valueBits) * 1024);
        Kinds[kind & 7]++;
        for (uint left = (uint)flags; left != 0; left &= left - 1)
        {
            Flags[BitOperations.TrailingZeroCount(left) & 7]++;
        }
    }

    /// <summary>Adds <paramref name="other"/>, as if its batches had come here.</summary>
    public void Add(in Totals other)
    {
        BatchesAccepted += other.BatchesAccepted;
        BatchesRejected += other.BatchesRejected;
        PayloadBytes += other.PayloadBytes;
        if (other.Records == 0)
        {
            return;
        }
        Records += other.Records;
        Digest += other.Digest;
        SourceBytes += other.SourceBytes;
        MessageBytes += other.MessageBytes;
        ValueSum += other.ValueSum;
        TimestampMin = Math.Min(TimestampMin, other.TimestampMin);
        TimestampMax = Math.Max(TimestampMax, other.TimestampMax);
        if (ValueOrder(other.ValueMinBits) < ValueOrder(ValueMinBits))
        {
            ValueMinBits = other.ValueMinBits;
        }
        if (ValueOrder(other.ValueMaxBits) > ValueOrder(ValueMaxBits))
        {
            ValueMaxBits = other.ValueMaxBits;
        }
        for (int i = 0; i < 8; i++)
        {
            Kinds[i] += other.Kinds[i];
            Flags[i] += other.Flags[i];
        }
    }

    // A smaller number has a smaller key; -0.0 comes before +0.0.
    private static ulong ValueOrder(ulong bits) => (bits >> 63) != 0 ? ~bits : bits | (1UL << 63);
}
