// PowerTable.cs: 128 leading bits of the powers of five; power_table.h, gen_power_table.c.
using System;
using Integer = System.Numerics.BigInteger;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>The 128 leading bits of a power of five; the top bit of High is set: struct mr_power.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Power
{
    public ulong High;
    public ulong Low;
}

internal static unsafe class PowerTable
{
    public const int Min = -342;
    public const int Max = 308;

    // A significand below 2^64 can be divisible by so small a power of five, and its exact quotient must not come
    // out as …111. Lemire, Number parsing at a gigabyte per second, SPE 51 (2021), section 5.
    private const int RoundedUpFrom = -27;

    /// <summary>Fills <c>Max - Min + 1</c> entries. Positive powers are cut off, negative ones as well except the last 27.</summary>
    public static void Fill(Power* powers)
    {
        for (int exponent = Min; exponent <= Max; exponent++)
        {
            Integer power = Integer.Pow(5, Math.Abs(exponent));
            UInt128 bits = exponent < 0 ? LeadingBitsOfInverse(power) : LeadingBits(power);
            if (exponent is < 0 and >= RoundedUpFrom)
            {
                bits++;
            }
            powers[exponent - Min] = new Power { High = (ulong)(bits >> 64), Low = (ulong)bits };
        }
    }

    private static UInt128 LeadingBits(Integer number)
    {
        int shift = (int)number.GetBitLength() - 128;
        return (UInt128)(shift >= 0 ? number >> shift : number << -shift);
    }

    // 2^k / divisor with k such that the quotient has 128 bits; the divisor is no power of two.
    private static UInt128 LeadingBitsOfInverse(Integer divisor) =>
        (UInt128)((Integer.One << ((int)divisor.GetBitLength() + 127)) / divisor);
}
