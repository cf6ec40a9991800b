// ScanString.cs: reading a JSON string: checking it whole and writing it unescaped; RFC 8259 section 7.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class ScanString
{
    /// <summary>Bytes behind the unescaped text that may be overwritten.</summary>
    public const uint Slack = 8;

    private const int UnitDigits = 4;

    /// <summary>
    /// Fills, zeros before: what the letter behind a backslash stands for (0: no such escape, or u), and each
    /// hexadecimal digit's value plus one (0: not a digit).
    /// </summary>
    public static void FillEscapes(byte* letters, byte* hexDigits)
    {
        const string names = "\"\\/bfnrt";
        const string meanings = "\"\\/\b\f\n\r\t";
        for (int i = 0; i < names.Length; i++)
        {
            letters[names[i]] = (byte)meanings[i];
        }
        for (int digit = 0; digit < 16; digit++)
        {
            hexDigits["0123456789abcdef"[digit]] = (byte)(digit + 1);
            hexDigits["0123456789ABCDEF"[digit]] = (byte)(digit + 1);
        }
    }

    private static bool IsHighSurrogate(uint unit) => unit is >= 0xD800 and <= 0xDBFF;

    private static bool IsLowSurrogate(uint unit) => unit is >= 0xDC00 and <= 0xDFFF;

    // Reads the four digits of a \uXXXX at `at`.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadUnit(Reader* reader, byte* at, uint* unitOut)
    {
        byte* hexDigits = reader->Tables + Tables.HexDigitsAt;
        uint unit = 0;
        for (int i = 0; i < UnitDigits; i++, at++)
        {
            uint digit = at < reader->End ? hexDigits[*at] : 0u;
            if (digit == 0)
            {
                return Reader.StopUnexpected(reader, Error.Escape, at);
            }
            unit = unit << 4 | (digit - 1);
        }
        *unitOut = unit;
        return at;
    }

    // Reads what must follow the high surrogate of the escape at `escape`; `at` stands behind it.
    private static byte* ReadLowSurrogate(Reader* reader, byte* escape, byte* at, uint* scalarIo)
    {
        for (int i = 0; i < 2; i++, at++)
        {
            if (at == reader->End)
            {
                return Reader.Stop(reader, Error.Truncated, at);
            }
            if (*at != (i == 0 ? (byte)'\\' : (byte)'u'))
            {
                return Reader.Stop(reader, Error.Surrogate, escape);
            }
        }
        uint low;
        at = ReadUnit(reader, at, &low);
        if (at == null)
        {
            return null;
        }
        if (!IsLowSurrogate(low))
        {
            return Reader.Stop(reader, Error.Surrogate, escape);
        }
        *scalarIo = 0x10000 + (*scalarIo - 0xD800 << 10) + (low - 0xDC00);
        return at;
    }

    // Reads the escape at `at` (a backslash); writes 1 to 4 bytes to `to`.
    private static byte* ReadEscape(Reader* reader, byte* at, byte* to, ulong* bytesOut)
    {
        byte* letter = at + 1;
        if (letter == reader->End)
        {
            return Reader.Stop(reader, Error.Truncated, letter);
        }
        byte meaning = (reader->Tables + Tables.EscapeLettersAt)[*letter];
        if (meaning != 0)
        {
            *to = meaning;
            *bytesOut = 1;
            return letter + 1;
        }
        if (*letter != (byte)'u')
        {
            return Reader.StopUnexpected(reader, Error.Escape, letter);
        }
        uint scalar = 0;
        byte* next = ReadUnit(reader, letter + 1, &scalar);
        if (next != null && IsLowSurrogate(scalar))
        {
            return Reader.Stop(reader, Error.Surrogate, at);
        }
        if (next != null && IsHighSurrogate(scalar))
        {
            next = ReadLowSurrogate(reader, at, next, &scalar);
        }
        if (next != null)
        {
            *bytesOut = Utf8.Write(scalar, to);
        }
        return next;
    }

    // Copies the UTF-8 sequence at `at`.
    private static byte* ReadSequence(Reader* reader, byte* at, byte* to, ulong* bytesOut)
    {
        int length = Utf8.Sequence(at, reader->End);
        if (length == Utf8.Cut)
        {
            return Reader.Stop(reader, Error.Truncated, reader->End);
        }
        if (length == Utf8.Malformed)
        {
            return Reader.Stop(reader, Error.Utf8, at);
        }
        for (int i = 0; i < length; i++)
        {
            to[i] = at[i];
        }
        *bytesOut = (ulong)length;
        return at + length;
    }

    /// <summary>
    /// Reads the string whose opening quote stands right before <paramref name="at"/>; writes its unescaped bytes to
    /// <paramref name="text"/>, never more than the string has bytes in the text, and Slack. Returns the position
    /// behind the closing quote and the number of unescaped bytes, or null after a fault.
    /// </summary>
    public static byte* Read(Reader* reader, byte* at, byte* text, ulong* bytesOut)
    {
        byte* end = reader->End;
        byte* to = text;
        while (at < end)
        {
            // Eight bytes are copied before it is known how many of them are plain; what is too much gets
            // overwritten, or is slack.
            ulong word = Swar.Load(at);
            Swar.Store(to, word);
            ulong marks = Swar.NotPlain(word);
            if (marks == 0)
            {
                at += 8;
                to += 8;
                continue;
            }
            uint plain = Swar.First(marks);
            at += plain;
            to += plain;
            if (at >= end)
            {
                break;
            }
            if (*at == (byte)'"')
            {
                *bytesOut = (ulong)(to - text);
                return at + 1;
            }
            if (*at < 0x20)
            {
                return Reader.Stop(reader, Error.Control, at);
            }
            ulong bytes = 0;
            at = *at == (byte)'\\' ? ReadEscape(reader, at, to, &bytes) : ReadSequence(reader, at, to, &bytes);
            if (at == null)
            {
                return null;
            }
            to += bytes;
        }
        return Reader.Stop(reader, Error.Truncated, end);
    }
}
