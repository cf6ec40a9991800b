// Numbers.cs: avx2/numbers.h: numbers of the AVX2 kernel: sixteen digits a lane, right-aligned, three numbers at once.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>A value of any form, of at most 32 bytes, taken apart.</summary>
internal readonly ref struct ValueParts(Vector256<byte> digits, long exponent, ulong negative, bool taken)
{
    /// <summary>Of the mantissa, right-aligned, the dot squeezed out.</summary>
    public readonly Vector256<byte> Digits = digits;

    public readonly long Exponent = exponent;

    /// <summary>1 or 0.</summary>
    public readonly ulong Negative = negative;

    /// <summary>False: it is longer, or no number. Not told yet of bytes that are no digits.</summary>
    public readonly bool Taken = taken;
}

internal static unsafe class Numbers
{
    // Sixteen digits a lane to their pairs, and these to fours.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<int> Fours(Vector256<byte> digits)
    {
        Vector256<short> pairs = Avx2.MultiplyAddAdjacent(digits, Vector256.Create((short)0x010A).AsSByte());
        return Avx2.MultiplyAddAdjacent(pairs, Vector256.Create(0x00010064).AsInt16());
    }

    // Four numbers of sixteen digits: of the lower lane of `a`, of `b`, then of the upper lanes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> ReadLanes(Vector256<byte> a, Vector256<byte> b)
    {
        Vector256<int> eights = Avx2.MultiplyAddAdjacent(
            Avx2.PackUnsignedSaturate(Fours(a), Fours(b)).AsInt16(), Vector256.Create(0x00012710).AsInt16());
        return Avx2.Add(
            Avx2.Multiply(eights.AsUInt32(), Vector256.Create(100000000UL).AsUInt32()),
            Avx2.ShiftRightLogical(eights.AsUInt64(), 32));
    }

    // Bytes that are no decimals 0 to 9.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> NoDigits(Vector256<byte> digits) =>
        Avx2.SubtractSaturate(digits, Vector256.Create((byte)9));

    // Seven digits at most, right-aligned at `end`.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FewDigits(byte* end, uint count)
    {
        const ulong zeros = 0x3030303030303030;
        ulong others = ulong.MaxValue >> (int)(8 * count);
        return Bmi1.X64.AndNot(others, Swar.Load(end - 8)) | (zeros & others);
    }

    // Bits of the last `length` of 32 bytes; of the length the lowest six bits count.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint LastOf32(ulong length) => (uint)(0xFFFFFFFF00000000 >> (int)length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint EqualTo(Vector256<byte> v, byte wanted) =>
        Block.TopBits(Avx2.CompareEqual(v, Vector256.Create(wanted)));

    // How many bytes stand behind the last one that `bits` has; 0 for none.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Behind(uint bits) => Lzcnt.LeadingZeroCount(bits) & 31;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ValueParts SplitValue(byte* tables, Token token)
    {
        ulong negative = token.IsNegative;
        byte* at = token.At + negative;
        ulong length = (ulong)(token.End - at);
        Vector256<byte> whole = Block.Load32(token.End - 32);
        uint letter = EqualTo(Avx2.Or(whole, Vector256.Create((byte)0x20)), (byte)'e') & LastOf32(length);
        uint behind = Behind(letter);
        uint hasLetter = Bits.One(letter != 0);
        byte* end = token.End - hasLetter - behind;
        uint minus = hasLetter & Bits.One(end[1] == '-');
        uint count = behind - (minus | (hasLetter & Bits.One(end[1] == '+')));
        ulong word = FewDigits(token.End, count);
        long power = (long)Swar.Number(word);
        uint good = Bits.One(Swar.AllDigits(word)) & Bits.One(count - hasLetter < 7);
        // The mantissa.
        length = (ulong)(end - at);
        Vector256<byte> v = Block.Load32(end - 32);
        Vector256<byte> before = Block.Load32(end - 33);
        uint dot = EqualTo(v, (byte)'.') & LastOf32(length);
        uint places = Behind(dot);
        uint hasDot = Bits.One(dot != 0);
        // Up to the dot everything moves one place to the right.
        Vector256<byte> stays = Block.Load32(VectorTables.LastBytes(tables) + (places | (hasDot - 1) & 32));
        Vector256<byte> counts = Block.Load32(VectorTables.LastBytes(tables) + ((length - hasDot) & 31));
        Vector256<byte> digits = Avx2.And(
            Avx2.Subtract(Avx2.BlendVariable(before, v, stays), Vector256.Create((byte)'0')), counts);
        long sign = -(long)minus;
        long exponent = (power ^ sign) - sign - places;
        uint dotInside = (hasDot ^ 1) | (Bits.One(places != 0) & Bits.One(length - 1 > places));
        uint zeroAlone = Bits.One(*at != '0') | Bits.One(length == 1) | Bits.One(at[1] == '.');
        bool taken = (good & Bits.One(length - 1 < 31) & dotInside & zeroAlone) != 0;
        return new ValueParts(digits, exponent, negative, taken);
    }

    // The value of the parts, whose digits say `upper` and `lower`. False: look again.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool JoinValue(
        byte* tables, long exponent, ulong negative, ulong upper, ulong lower, ulong* bitsOut)
    {
        if (upper >= 1000)
        {
            return false; // more than 19 digits
        }
        ulong bits = EiselLemire.Bits(upper * 10000000000000000 + lower, exponent, tables);
        *bitsOut = bits | negative << 63;
        return BitConverter.UInt64BitsToDouble(bits) <= Contract.ValueLimit;
    }

    // Makes at most 19 digits of 32: the upper sixteen and the lower sixteen.
    private static LongDecimal JoinDigits(byte* tables, ulong upper, ulong lower)
    {
        ulong* powers = VectorTables.CutPowers(tables);
        uint cut = 0;
        // The digits may not have been checked yet: the bound is for what are none.
        while (cut < 13 && upper >= powers[3 + cut])
        {
            cut++;
        }
        return new LongDecimal
        {
            Exponent = cut,
            Significand = upper * powers[16 - cut] + lower / powers[cut],
            More = lower % powers[cut],
        };
    }

    // The mantissa [at, end) of at most 32 bytes, without sign. False: it is none.
    private static bool ReadMantissa(byte* tables, byte* at, byte* end, out LongDecimal decimalOut)
    {
        decimalOut = default;
        ulong length = (ulong)(end - at);
        if (length - 1 >= 32)
        {
            return false;
        }
        Vector256<byte> v = Block.Load32(end - 32);
        Vector256<byte> before = Block.Load32(end - 33);
        uint dot = EqualTo(v, (byte)'.') & LastOf32(length);
        uint places = dot == 0 ? 0 : Lzcnt.LeadingZeroCount(dot);
        // Up to the dot everything moves one place to the right.
        Vector256<byte> stays = Block.Load32(VectorTables.LastBytes(tables) + (dot == 0 ? 32 : places));
        Vector256<byte> counts = Block.Load32(VectorTables.LastBytes(tables) + (length - Bits.One(dot != 0)));
        Vector256<byte> digits = Avx2.And(
            Avx2.Subtract(Avx2.BlendVariable(before, v, stays), Vector256.Create((byte)'0')), counts);
        Vector256<ulong> numbers = ReadLanes(digits, digits);
        decimalOut = JoinDigits(tables, numbers.GetElement(0), numbers.GetElement(2));
        decimalOut.Exponent -= places;
        bool dotInside = dot == 0 || (places != 0 && length - 1 > places);
        bool zeroAlone = *at != '0' || length == 1 || at[1] == '.';
        return Block.IsZero(NoDigits(digits)) && zeroAlone && dotInside;
    }

    // A number of at most 32 bytes, of any form. False as KernelNumbers.ReadAnyValue().
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadLongValue(byte* tables, byte* tokenAt, byte* tokenEnd, byte* textEnd, ulong* bitsOut)
    {
        Token token = new(tokenAt, tokenEnd);
        byte* at = tokenAt + (*tokenAt == '-' ? 1 : 0);
        ulong length = (ulong)(tokenEnd - at);
        if (length - 1 >= 32)
        {
            return KernelNumbers.ReadAnyValue(tables, token, textEnd, bitsOut);
        }
        uint letter = EqualTo(Avx2.Or(Block.Load32(tokenEnd - 32), Vector256.Create((byte)0x20)), (byte)'e') & LastOf32(length);
        byte* end = letter == 0 ? tokenEnd : tokenEnd - 1 - Lzcnt.LeadingZeroCount(letter);
        long exponent = 0;
        if ((letter != 0 && !KernelNumbers.ReadExponent(end + 1, tokenEnd, out exponent)) ||
            !ReadMantissa(tables, at, end, out LongDecimal number))
        {
            return KernelNumbers.ReadAnyValue(tables, token, textEnd, bitsOut);
        }
        number.Exponent += exponent;
        return KernelNumbers.FinishLongValue(tables, token, number, textEnd, bitsOut);
    }

    // Whether id and timestamp, which are digits, are as the contract says.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool CheckIntegers(Token id, Token timestamp, ulong idNumber, ulong timestampNumber)
    {
        ulong idLength = id.Length;
        ulong timestampLength = timestamp.Length;
        if (idLength - 1 >= 19 || timestampLength - 1 >= 18)
        {
            return false;
        }
        if ((*id.At == '0' && idLength != 1) || (*timestamp.At == '0' && timestampLength != 1))
        {
            return false;
        }
        return idNumber <= Contract.IdMax && timestampNumber <= Contract.TimestampUsMax;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> IntegerDigits(byte* tables, Token token) => Avx2.And(
        Avx2.Subtract(Block.Load32(token.End - 32), Vector256.Create((byte)'0')),
        Block.Load32(VectorTables.LastBytes(tables) + (token.Length & 31)));

    /// <summary>
    /// As IKernel says. All values go one way, whatever their form: messy ones change it from record to record, and a
    /// branch missed costs more than the longer way.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool Read(byte* tables, Token id, Token timestamp, Token value, byte* textEnd, Record* head)
    {
        ValueParts parts = SplitValue(tables, value);
        Vector256<byte> idLanes = IntegerDigits(tables, id);
        Vector256<byte> timestampLanes = IntegerDigits(tables, timestamp);
        Vector256<ulong> numbers = ReadLanes(idLanes, timestampLanes);
        Vector256<ulong> digits = ReadLanes(parts.Digits, parts.Digits);
        Vector256<byte> wrong = Avx2.Or(NoDigits(idLanes), NoDigits(timestampLanes));
        bool isValue = parts.Taken && Block.IsZero(NoDigits(parts.Digits)) && JoinValue(
            tables, parts.Exponent, parts.Negative, digits.ToScalar(), Avx2.ExtractVector128(digits, 1).ToScalar(),
            &head->ValueBits);
        if (!isValue && !ReadLongValue(tables, value.At, value.End, textEnd, &head->ValueBits))
        {
            return false;
        }
        Vector128<ulong> upper = numbers.GetLower();
        Vector128<ulong> lower = Avx2.ExtractVector128(numbers, 1);
        ulong idNumber = upper.ToScalar() * 10000000000000000 + lower.ToScalar();
        ulong timestampNumber = upper.GetElement(1) * 10000000000000000 + lower.GetElement(1);
        head->Id = idNumber;
        head->TimestampUs = timestampNumber;
        return Block.IsZero(wrong) && CheckIntegers(id, timestamp, idNumber, timestampNumber);
    }

    /// <summary>
    /// As Read(), for an id of at most fifteen digits, a timestamp of sixteen, and a value of at most fifteen bytes without
    /// exponent. False: it is something else, ask Read(). The id's first byte stands behind <paramref name="at"/>, the
    /// others' behind the commas in front of their keys, so that few places must be kept.
    /// </summary>
    /// <remarks>
    /// The value's lane ends with the byte behind it, which stands for the dot where there is none: so up to the dot
    /// everything moves one place to the right, always. Where there is one, the lane's last digit is an added zero, and the
    /// dot's place counts it.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool ReadShort(
        byte* tables, byte* at, nuint idAt, byte* timestampComma, nuint timestampAt, byte* valueComma, nuint valueAt,
        byte* valueEnd, out Vector256<ulong> numbersOut, out nuint dotOut)
    {
        numbersOut = default;
        ulong negative = ((ulong)(valueComma[valueAt] ^ (uint)'-') - 1) >> 63;
        byte* first = valueComma + negative + valueAt;
        nuint length = (nuint)(valueEnd - first);
        // The dot is looked for from the value's begin on, which is known before its end is.
        nuint dot = 15 - (nuint)(valueEnd - valueComma - (nint)valueAt) + FindDot(tables, valueComma + valueAt, valueEnd);
        dot &= 15;
        dotOut = dot + (nuint)(16 * negative);
        Vector128<byte> squeezed = Ssse3.Shuffle(
            Sse2.Subtract(Block.Load16(valueEnd - 15), Block.Load16(Tables.All(tables, AllBytes.Zeros))),
            Block.Load16(VectorTables.SqueezeDot(tables) + 16 * dot));
        // What stands in the upper lane is of no account: zeros, or else Read() is asked.
        Vector256<byte> others = Sse2.And(
            squeezed, Block.Load16(VectorTables.LastBytes(tables) + 16 + (length & 15))).ToVector256Unsafe();
        // The upper lane counts whole.
        nuint idLength = (nuint)(timestampComma - at) - idAt;
        Vector256<byte> digits = Avx2.And(
            Avx2.Subtract(
                Block.TwoLanes(timestampComma - 16, timestampComma + timestampAt), Block.AllOf(tables, AllBytes.Zeros)),
            Block.Load32(VectorTables.LastBytes(tables) + 16 + (idLength & 15)));
        // Zeros lead only before the dot (as for the other two, 0 itself is rare); the dot is neither first nor last.
        if (at[idAt] == '0' || timestampComma[timestampAt] == '0' || dot + length == 15 || dot == 14 ||
            (*first == '0' && dot + length != 16) || ((idLength - 1) | idLength | (length - 1) | length) > 15)
        {
            return false;
        }
        Vector256<byte> wrong = Avx2.SubtractSaturate(Avx2.Max(digits, others), Block.AllOf(tables, AllBytes.Nines));
        if (!Block.IsZero(wrong))
        {
            return false;
        }
        numbersOut = ReadLanes(digits, others);
        return true;
    }

    /// <summary>
    /// Writes what ReadShort() has read. It comes late: nothing waits for it, while what stands behind a division can't
    /// leave the processor before the division does.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void WriteShort(byte* tables, Vector256<ulong> numbers, nuint dot, Record* head)
    {
        head->Id = numbers.ToScalar();
        head->TimestampUs = Avx2.ExtractVector128(numbers, 1).ToScalar();
        KernelNumbers.DivideByPower(tables, numbers.GetLower().GetElement(1), dot, &head->ValueBits);
    }

    // Where the value's dot stands, from its begin on; or its end.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint FindDot(byte* tables, byte* value, byte* end)
    {
        Vector128<byte> dots = Sse2.CompareEqual(Block.Load16(value), Block.Load16(Tables.All(tables, AllBytes.Dots)));
        return Bits.Lowest((uint)Sse2.MoveMask(dots) | 1u << (int)(end - value));
    }
}
