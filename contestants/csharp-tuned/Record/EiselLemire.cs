// EiselLemire.cs: the binary64 nearest to w * 10^q for w of up to 64 bits.
//
// Lemire, Number parsing at a gigabyte per second, SPE 51 (2021); that no significand below 2^64 needs a second look:
// Mushtak, Lemire, Fast number parsing without fallback, SPE 53 (2023).
//
// w, shifted so that its top bit is set, times the 128 leading bits of 5^q gives the leading bits of w * 5^q;
// 10^q = 5^q * 2^q only adds to the exponent. 55 of those bits (53 to keep, one to round by, one because the product's
// top bit may be clear) decide the result.
using System.Numerics;

namespace MatchRace.Tuned;

internal static unsafe class EiselLemire
{
    private const int SignificandBits = 52;
    private const int InfinityExponent = 0x7FF;
    private const int ExponentBias = 1023;
    private const ulong Below55Bits = ulong.MaxValue >> 55;
    private const ulong HiddenBit = 1UL << SignificandBits;
    private const ulong Infinity = (ulong)InfinityExponent << SignificandBits;

    // floor(log2(10^q)) + 63 for the exponents of the table: 217706 / 2^16 is log2(10), close enough.
    private static long BinaryExponent(long exponent) => ((217706 * exponent) >> 16) + 63;

    // Drops the lowest bit, rounding to nearest; what a tie needs was done before.
    private static ulong RoundOffOneBit(ulong bits) => (bits + (bits & 1)) >> 1;

    // `bits`: 54 bits of which the lowest rounds; `storedExponent` <= 0. A tie cannot happen here: it would need a
    // significand that is divisible by 5^300.
    private static ulong Subnormal(ulong bits, long storedExponent)
    {
        long shift = 1 - storedExponent;
        if (shift >= 64)
        {
            return 0;
        }
        // Rounding up to HiddenBit gives the smallest normal number, and its stored form.
        return RoundOffOneBit(bits >> (int)shift);
    }

    /// <summary>
    /// Bits of the non-negative binary64 nearest to <paramref name="significand"/> * 10^<paramref name="exponent"/>,
    /// ties to even, for every pair: subnormals, zero on underflow and infinity on overflow included.
    /// </summary>
    public static ulong Bits(ulong significand, long exponent, byte* tables)
    {
        if (significand == 0 || exponent < PowerTable.Min)
        {
            return 0; // below 2^64 * 10^-343, less than half of the smallest subnormal
        }
        if (exponent > PowerTable.Max)
        {
            return Infinity;
        }
        int leadingZeros = BitOperations.LeadingZeroCount(significand);
        ulong shifted = significand << leadingZeros;
        // The low half of the power is looked at only where it could carry into the 55 bits.
        Power* power = Tables.PowersOfFive(tables) + (exponent - PowerTable.Min);
        ulong high = Uint128.High(shifted, power->High);
        ulong low = shifted * power->High;
        if ((high & Below55Bits) == Below55Bits)
        {
            ulong more = Uint128.High(shifted, power->Low);
            low += more;
            high += low < more ? 1UL : 0;
        }
        int topBit = (int)(high >> 63);
        int shift = topBit + 64 - SignificandBits - 3;
        ulong bits = high >> shift;
        long storedExponent = BinaryExponent(exponent) + topBit - leadingZeros + ExponentBias;
        if (storedExponent <= 0)
        {
            return Subnormal(bits, storedExponent);
        }
        // Exactly halfway with an even neighbour below: only where 5^|q| fits the words, and everything below the
        // rounding bit is zero (up to the rounding of the table in the lowest place).
        if (low <= 1 && exponent >= -4 && exponent <= 23 && (bits & 3) == 1 && bits << shift == high)
        {
            bits--;
        }
        bits = RoundOffOneBit(bits);
        if (bits == 2 * HiddenBit)
        {
            bits = HiddenBit;
            storedExponent++;
        }
        if (storedExponent >= InfinityExponent)
        {
            return Infinity;
        }
        return (ulong)storedExponent << SignificandBits | (bits & (HiddenBit - 1));
    }
}
