// DoubleFromDecimal.cs: the binary64 nearest to a decimal of any length.
//
// Three ways, the cheapest that is exact:
// 1. Clinger: significand and power of ten are both exact in binary64, so one operation rounds once.
// 2. Eisel-Lemire for all other significands of up to 19 digits.
// 3. More digits: the decimal lies between w and w + 1 (in units of its 19th digit). If both round to the same number,
//    that is it. Else they round to two neighbours, and long arithmetic tells on which side of the midpoint between
//    these the decimal lies.
using System;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

/// <summary>
/// A decimal as ScanNumber takes it from a token: its value is digits * 10^Exponent, where Significand holds all
/// digits, or the first SignificandDigits of them from the first that is not 0 on. In the latter case DigitsCut is set,
/// Exponent counts from the digits held, and the exact digits stand in the text. struct mr_decimal.
/// </summary>
internal unsafe struct Decimal
{
    public const int SignificandDigits = 19; // so many always fit 64 bits

    public ulong Significand;
    public long Exponent;
    public bool Negative;
    public bool DigitsCut;

    /// <summary>If cut: the first digit that is not 0.</summary>
    public byte* Digits;

    /// <summary>If cut: behind the last digit; one '.' may stand between.</summary>
    public byte* DigitsEnd;
}

internal static unsafe class DoubleFromDecimal
{
    private const ulong SignBit = 1UL << 63;
    private const int SignificandBits = 52;
    private const ulong HiddenBit = 1UL << SignificandBits;
    private const int ExponentBias = 1075; // of the stored exponent, for the significand as an integer

    // The midpoint between two neighbours has at most 767 significant digits; digits further behind can only tell that
    // the decimal is a little larger than what was read.
    private const int DigitsMax = 800;

    private const int ClingerExponentMax = 22; // 5^22 < 2^53

    /// <summary>1e0 to 1e22, all of them exact.</summary>
    public static void FillPowersOfTen(double* powers)
    {
        powers[0] = 1;
        for (int i = 1; i <= ClingerExponentMax; i++)
        {
            powers[i] = powers[i - 1] * 10;
        }
    }

    /// <summary>
    /// Bits of significand * 10^exponent with its sign, where one operation on binary64 gives it; false: it does not.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryClinger(ulong significand, long exponent, bool negative, byte* tables, out ulong bits)
    {
        bits = 0;
        if (significand > 1UL << 53 || (ulong)(exponent + ClingerExponentMax) > 2 * ClingerExponentMax)
        {
            return false;
        }
        // As a signed number: that is one instruction, and it is below 2^63.
        double value = (long)significand;
        double* powers = Tables.PowersOfTen(tables);
        value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
        bits = BitConverter.DoubleToUInt64Bits(value) | (negative ? SignBit : 0);
        return true;
    }

    // Reads the digits of `number` from the text into *digitsOut, at most DigitsMax and a last 1 if any other digit
    // follows. Returns the number of digits that *digitsOut stands for.
    private static long ReadDigits(Decimal* number, BigInteger* digitsOut)
    {
        BigInteger.Set(digitsOut, 0);
        long count = 0;
        ulong chunk = 0;
        ulong chunkPower = 1;
        byte* at = number->Digits;
        for (; at < number->DigitsEnd && count < DigitsMax; at++)
        {
            if (*at == (byte)'.')
            {
                continue;
            }
            chunk = chunk * 10 + (ulong)(*at - '0');
            chunkPower *= 10;
            count++;
            if (chunkPower == 10000000000000000000)
            {
                BigInteger.MultiplyAdd(digitsOut, chunkPower, chunk);
                chunk = 0;
                chunkPower = 1;
            }
        }
        BigInteger.MultiplyAdd(digitsOut, chunkPower, chunk);
        while (at < number->DigitsEnd && (*at == (byte)'0' || *at == (byte)'.'))
        {
            at++;
        }
        if (at < number->DigitsEnd)
        {
            BigInteger.MultiplyAdd(digitsOut, 10, 1);
            count++;
        }
        return count;
    }

    // Whether the decimal, which lies between the neighbours `belowBits` and `belowBits` + 1, rounds to the upper one:
    // compares it with the midpoint, both made whole by the same factor.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool RoundsUp(Decimal* number, ulong belowBits)
    {
        BigInteger digits;
        long count = ReadDigits(number, &digits);
        long powerOfTen = number->Exponent + Decimal.SignificandDigits - count;

        ulong storedExponent = belowBits >> SignificandBits;
        ulong significand = belowBits & (HiddenBit - 1);
        if (storedExponent == 0)
        {
            storedExponent = 1;
        }
        else
        {
            significand |= HiddenBit;
        }
        BigInteger midpoint;
        BigInteger.Set(&midpoint, 2 * significand + 1);
        long powerOfTwo = (long)storedExponent - ExponentBias - 1;

        // digits * 10^p against midpoint * 2^k: five goes where p's sign says, two to the other side.
        if (powerOfTen >= 0)
        {
            BigInteger.MultiplyPowerOfFive(&digits, (uint)powerOfTen);
        }
        else
        {
            BigInteger.MultiplyPowerOfFive(&midpoint, (uint)-powerOfTen);
        }
        long shift = powerOfTwo - powerOfTen;
        if (shift >= 0)
        {
            BigInteger.ShiftLeft(&midpoint, (uint)shift);
        }
        else
        {
            BigInteger.ShiftLeft(&digits, (uint)-shift);
        }
        int order = BigInteger.Compare(&digits, &midpoint);
        return order > 0 || (order == 0 && (belowBits & 1) != 0);
    }

    /// <summary>
    /// Bits of the binary64 nearest to <paramref name="number"/>, ties to even, with its sign (also of zero); infinity
    /// on overflow, subnormals and zero on underflow. Linear in the number of digits.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Bits(Decimal* number, byte* tables)
    {
        if (!number->DigitsCut &&
            TryClinger(number->Significand, number->Exponent, number->Negative, tables, out ulong exact))
        {
            return exact;
        }
        ulong sign = number->Negative ? SignBit : 0;
        ulong bits = EiselLemire.Bits(number->Significand, number->Exponent, tables);
        if (!number->DigitsCut)
        {
            return sign | bits;
        }
        ulong above = EiselLemire.Bits(number->Significand + 1, number->Exponent, tables);
        if (above != bits)
        {
            Reader.Check(above == bits + 1);
            bits += RoundsUp(number, bits) ? 1UL : 0;
        }
        return sign | bits;
    }
}
