// BigInteger.cs: unsigned integers of a few thousand bits, for decimals that only exact arithmetic can round.
namespace MatchRace.Tuned;

/// <summary>
/// An unsigned integer: Count limbs, least significant first, the last one not 0. Limbs from Count on mean nothing.
/// 3,072 bits: the largest number of DoubleFromDecimal has 2,730.
/// </summary>
internal unsafe struct BigInteger
{
    public const int Limbs = 48;

    private const uint PowerStep = 27; // 5^27 is the largest power of five below 2^64
    private const ulong FiveTo27 = 7450580596923828125;

    private int count;
    private fixed ulong limb[Limbs];

    /// <summary>The number <paramref name="value"/>.</summary>
    public static void Set(BigInteger* number, ulong value)
    {
        number->count = value == 0 ? 0 : 1;
        number->limb[0] = value;
    }

    /// <summary>*number = *number * factor + addend. Must fit.</summary>
    public static void MultiplyAdd(BigInteger* number, ulong factor, ulong addend)
    {
        ulong carry = addend;
        for (int i = 0; i < number->count; i++)
        {
            ulong high = Uint128.High(number->limb[i], factor);
            ulong low = number->limb[i] * factor + carry;
            high += low < carry ? 1UL : 0;
            number->limb[i] = low;
            carry = high;
        }
        if (carry != 0)
        {
            Reader.Check(number->count < Limbs);
            number->limb[number->count++] = carry;
        }
    }

    /// <summary>*number *= 5^exponent. Must fit.</summary>
    public static void MultiplyPowerOfFive(BigInteger* number, uint exponent)
    {
        for (; exponent >= PowerStep; exponent -= PowerStep)
        {
            MultiplyAdd(number, FiveTo27, 0);
        }
        ulong rest = 1;
        for (; exponent > 0; exponent--)
        {
            rest *= 5;
        }
        MultiplyAdd(number, rest, 0);
    }

    /// <summary>*number *= 2^exponent. Must fit.</summary>
    public static void ShiftLeft(BigInteger* number, uint exponent)
    {
        if (number->count == 0)
        {
            return;
        }
        MultiplyAdd(number, 1UL << (int)(exponent % 64), 0);
        int limbs = (int)(exponent / 64);
        Reader.Check(number->count + limbs <= Limbs);
        for (int i = number->count; i-- > 0;)
        {
            number->limb[i + limbs] = number->limb[i];
        }
        for (int i = 0; i < limbs; i++)
        {
            number->limb[i] = 0;
        }
        number->count += limbs;
    }

    /// <summary>Below, equal to or above 0 as left is less than, equal to or greater than right.</summary>
    public static int Compare(BigInteger* left, BigInteger* right)
    {
        if (left->count != right->count)
        {
            return left->count < right->count ? -1 : 1;
        }
        for (int i = left->count; i-- > 0;)
        {
            if (left->limb[i] != right->limb[i])
            {
                return left->limb[i] < right->limb[i] ? -1 : 1;
            }
        }
        return 0;
    }
}
