// KernelNumbers.cs: kernel_numbers.h: numbers of the vector kernels: what is plain arithmetic.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

/// <summary>A token: [At, End) in the text.</summary>
internal readonly unsafe struct Token(byte* at, byte* end)
{
    public readonly byte* At = at;
    public readonly byte* End = end;

    public ulong Length
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (ulong)(End - At);
    }

    /// <summary>1 where the token begins with a minus, else 0; by arithmetic.</summary>
    public ulong IsNegative
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ((ulong)(*At ^ (uint)'-') - 1) >> 63;
    }
}

/// <summary>A number as its first digits, 19 at most.</summary>
internal struct LongDecimal
{
    public ulong Significand;
    public long Exponent;

    /// <summary>Not 0 where others but zeros were cut off.</summary>
    public ulong More;
}

internal static unsafe class KernelNumbers
{
    /// <summary>
    /// The value of a number of any length, read by the specification. False: it is no number, or out of range.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static bool ReadAnyValue(byte* tables, Token token, byte* textEnd, ulong* bitsOut)
    {
        Reader reader = new() { Begin = token.At, End = textEnd, Tables = tables };
        Decimal number = default;
        byte* behind = ScanNumber.ReadDecimal(&reader, token.At, &number);
        if (behind != token.End)
        {
            return false;
        }
        ulong bits = DoubleFromDecimal.Bits(&number, tables);
        *bitsOut = bits;
        double value = BitConverter.UInt64BitsToDouble(bits);
        return value >= -Contract.ValueLimit && value <= Contract.ValueLimit;
    }

    /// <summary>
    /// Reads an exponent: what stands between the letter and <paramref name="end"/>. False: it is none, or of more than
    /// eight digits.
    /// </summary>
    internal static bool ReadExponent(byte* at, byte* end, out long exponentOut)
    {
        exponentOut = 0;
        bool negative = *at == '-';
        at += negative || *at == '+' ? 1 : 0;
        ulong digits = (ulong)(end - at);
        if (digits - 1 >= 8)
        {
            return false;
        }
        const ulong zeros = 0x3030303030303030;
        ulong mask = ulong.MaxValue << (int)(64 - 8 * digits);
        ulong word = (Swar.Load(end - 8) & mask) | (zeros & ~mask);
        long number = (long)Swar.Number(word);
        exponentOut = negative ? -number : number;
        return Swar.AllDigits(word);
    }

    /// <summary>
    /// The number that a decimal says, with its sign, as long as binary64 can be told from its first 19 digits; else the
    /// specification reads the token. False as ReadAnyValue().
    /// </summary>
    internal static bool FinishLongValue(
        byte* tables, Token token, LongDecimal number, byte* textEnd, ulong* bitsOut)
    {
        ulong bits = EiselLemire.Bits(number.Significand, number.Exponent, tables);
        if (number.More != 0 && EiselLemire.Bits(number.Significand + 1, number.Exponent, tables) != bits)
        {
            return ReadAnyValue(tables, token, textEnd, bitsOut);
        }
        *bitsOut = bits | token.IsNegative << 63;
        return BitConverter.UInt64BitsToDouble(bits) <= Contract.ValueLimit;
    }

    /// <summary>
    /// Writes the value of a significand whose dot stands at <paramref name="dot"/> of a lane of sixteen digits, 16 more
    /// where it is negative: both numbers are exact, so one division rounds rightly (Clinger 1990).
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void DivideByPower(byte* tables, ulong significand, nuint dot, ulong* bitsOut)
    {
        Vector128<double> number = Sse2.X64.ConvertScalarToVector128Double(Vector128<double>.Zero, (long)significand);
        *(double*)bitsOut = number.ToScalar() / VectorTables.QuotientPowers(tables)[dot];
    }
}
