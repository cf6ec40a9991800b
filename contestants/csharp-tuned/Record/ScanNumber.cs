// ScanNumber.cs: reading a JSON number: its grammar, and what it says as a decimal or an integer; RFC 8259 section 6.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

/// <summary>A number as it stands in the text. Its value is Significand * 10^Exponent where Count, the number of digits, is
/// at most Decimal.SignificandDigits; one dot may stand among [Digits, DigitsEnd), at Dot.</summary>
internal unsafe struct NumberToken
{
    public ulong Significand;
    public long Exponent;
    public long Count;
    public bool Negative;
    public byte* Digits;
    public byte* Dot;
    public byte* DigitsEnd;
}

internal static unsafe class ScanNumber
{
    // Exponents beyond this are as good as infinite: no text is so long that its digits could make up for it.
    // Counting stops here, so that nothing overflows.
    private const long ExponentLimit = 100000000000000000;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsDigit(byte* end, byte* at) => at < end && (uint)(*at - '0') <= 9;

    // Reads digits as long as there are any: number = number * 10 + digit for each, mod 2^64.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* TakeDigits(byte* end, byte* at, ref ulong number)
    {
        while (end - at >= 8 && Swar.AllDigits(Swar.Load(at)))
        {
            number = number * 100000000 + Swar.Number(Swar.Load(at));
            at += 8;
        }
        for (; IsDigit(end, at); at++)
        {
            number = number * 10 + (ulong)(*at - '0');
        }
        return at;
    }

    // Reads "e+05" at `at` (which stands on the e).
    private static byte* ReadExponent(Reader* reader, byte* at, long* exponentOut)
    {
        at++;
        bool negative = Reader.IsAt(reader, at, (byte)'-');
        if (negative || Reader.IsAt(reader, at, (byte)'+'))
        {
            at++;
        }
        if (!IsDigit(reader->End, at))
        {
            return Reader.StopUnexpected(reader, Error.Number, at);
        }
        long exponent = 0;
        for (; IsDigit(reader->End, at); at++)
        {
            if (exponent < ExponentLimit)
            {
                exponent = exponent * 10 + (*at - '0');
            }
        }
        *exponentOut = negative ? -exponent : exponent;
        return at;
    }

    // The first Decimal.SignificandDigits digits of [at, end), in which a dot may stand; `end` may come first.
    // *behindOut: behind the last one of them.
    private static ulong FirstDigits(byte* at, byte* end, byte** behindOut)
    {
        ulong significand = 0;
        for (long kept = 0; kept < Decimal.SignificandDigits && at < end; at++)
        {
            if (*at != (byte)'.')
            {
                significand = significand * 10 + (ulong)(*at - '0');
                kept++;
            }
        }
        *behindOut = at;
        return significand;
    }

    // Keeps the first Decimal.SignificandDigits digits of the mantissa in [digits, digitsEnd) if it has more, leading
    // zeros not counted. The exponent grows by one for each digit left out. `dot`: where it stands, or `digitsEnd`.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LimitDigits(Decimal* number, byte* digits, byte* dot, byte* digitsEnd)
    {
        while (digits < digitsEnd && (*digits == (byte)'0' || *digits == (byte)'.'))
        {
            digits++;
        }
        byte* behind;
        ulong significand = FirstDigits(digits, digitsEnd, &behind);
        long leftOut = digitsEnd - behind - (dot >= behind && dot < digitsEnd ? 1 : 0);
        if (leftOut > 0)
        {
            number->Significand = significand;
            number->Exponent += leftOut;
            number->DigitsCut = true;
            number->Digits = digits;
            number->DigitsEnd = digitsEnd;
        }
    }

    /// <summary>
    /// Reads the number token at <paramref name="at"/>. Returns the position behind it, or null after a fault; a
    /// number at the very end of the text is one, for it may have been cut.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* ReadToken(Reader* reader, byte* at, ref NumberToken token)
    {
        byte* end = reader->End;
        token.Negative = at < end && *at == (byte)'-';
        if (token.Negative)
        {
            at++;
        }
        token.Digits = at;
        token.Significand = 0;
        at = TakeDigits(end, at, ref token.Significand);
        if (at == token.Digits)
        {
            return Reader.StopUnexpected(reader, Error.Number, at);
        }
        if (*token.Digits == (byte)'0' && at > token.Digits + 1)
        {
            return Reader.Stop(reader, Error.Number, token.Digits + 1);
        }
        token.Dot = at;
        token.Count = at - token.Digits;
        token.Exponent = 0;
        if (at < end && *at == (byte)'.')
        {
            byte* fraction = at + 1;
            at = TakeDigits(end, fraction, ref token.Significand);
            if (at == fraction)
            {
                return Reader.StopUnexpected(reader, Error.Number, at);
            }
            token.Count += at - fraction;
            token.Exponent = fraction - at;
        }
        token.DigitsEnd = at;
        if (at < end && (*at | 0x20) == 'e')
        {
            long written = 0;
            at = ReadExponent(reader, at, &written);
            if (at == null)
            {
                return null;
            }
            token.Exponent += written;
        }
        return at != end ? at : Reader.Stop(reader, Error.Truncated, at);
    }

    /// <summary>The decimal that a token stands for.</summary>
    public static void ToDecimal(in NumberToken token, Decimal* decimalOut)
    {
        *decimalOut = new Decimal
        {
            Significand = token.Significand,
            Exponent = token.Exponent,
            Negative = token.Negative,
        };
        if (token.Count > Decimal.SignificandDigits)
        {
            LimitDigits(decimalOut, token.Digits, token.Dot, token.DigitsEnd);
        }
    }

    /// <summary>As ReadToken(): the token's decimal.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* ReadDecimal(Reader* reader, byte* at, Decimal* decimalOut)
    {
        NumberToken token = default;
        byte* behind = ReadToken(reader, at, ref token);
        if (behind != null)
        {
            ToDecimal(token, decimalOut);
        }
        return behind;
    }

    // Whether [token, behind) is an integer token of a length that fits 64 bits, if it is a token at all: no leading
    // zero, and nothing behind it that would go on with the number.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsPlainInteger(Reader* reader, byte* token, byte* behind)
    {
        long length = behind - token;
        if (length < 1 || length > Decimal.SignificandDigits || (*token == (byte)'0' && length != 1))
        {
            return false;
        }
        return behind < reader->End && *behind != (byte)'.' && (*behind | 0x20) != 'e';
    }

    /// <summary>
    /// Reads the number token at <paramref name="at"/>, which must be digits alone and at most
    /// <paramref name="max"/>.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* ReadInteger(Reader* reader, byte* at, ulong max, ulong* integerOut)
    {
        ulong integer = 0;
        byte* behind = TakeDigits(reader->End, at, ref integer);
        if (IsPlainInteger(reader, at, behind) && integer <= max)
        {
            *integerOut = integer;
            return behind;
        }
        return StopInteger(reader, at, behind);
    }

    // It is a fault; which one depends on the whole token.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* StopInteger(Reader* reader, byte* at, byte* behind)
    {
        NumberToken token = default;
        byte* tokenEnd = ReadToken(reader, at, ref token);
        if (tokenEnd == null)
        {
            return null;
        }
        return Reader.Stop(reader, tokenEnd == behind ? Error.IntegerRange : Error.Type, at);
    }
}
