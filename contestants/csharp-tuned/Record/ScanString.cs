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
    [MethodImpl(MethodImplOptions.NoInlining)]
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

    // Copies the UTF-8 sequence at `at`; as many bytes are written as read, and at most four.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadSequence(Reader* reader, byte* at, byte* to)
    {
        int length = Utf8.Sequence(at, reader->End);
        if (length <= 0)
        {
            return StopSequence(reader, at, length);
        }
        // What is too much gets overwritten, or is slack.
        Unsafe.WriteUnaligned(to, Unsafe.ReadUnaligned<uint>(at));
        return at + length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* StopSequence(Reader* reader, byte* at, int length) => length == Utf8.Cut
        ? Reader.Stop(reader, Error.Truncated, reader->End)
        : Reader.Stop(reader, Error.Utf8, at);

    // The usual escapes: a letter, or a unit that is no surrogate. Writes 1 to 3 bytes to `to` and moves it behind.
    // Null: ReadEscape() must read it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadUsualEscape(byte* tables, byte* at, byte* end, ref byte* to)
    {
        if (end - at < 2 + UnitDigits)
        {
            return null;
        }
        byte meaning = (tables + Tables.EscapeLettersAt)[at[1]];
        if (meaning != 0)
        {
            *to++ = meaning;
            return at + 2;
        }
        byte* hexDigits = tables + Tables.HexDigitsAt;
        uint first = hexDigits[at[2]];
        uint second = hexDigits[at[3]];
        uint third = hexDigits[at[4]];
        uint fourth = hexDigits[at[5]];
        if (at[1] != (byte)'u' || first == 0 || second == 0 || third == 0 || fourth == 0)
        {
            return null;
        }
        uint unit = (first << 12) + (second << 8) + (third << 4) + fourth - 0x1111;
        if (unit - 0xD800 < 0x800)
        {
            return null;
        }
        to += Utf8.Write(unit, to);
        return at + 2 + UnitDigits;
    }

    /// <summary>
    /// Reads the string whose opening quote stands right before <paramref name="at"/>; writes its unescaped bytes to
    /// <paramref name="text"/>, never more than the string has bytes in the text, and Slack. Returns the position
    /// behind the closing quote and the number of unescaped bytes, or null after a fault.
    /// </summary>
    public static byte* Read(Reader* reader, byte* at, byte* text, ulong* bytesOut)
    {
        byte* end = reader->End;
        byte* tables = reader->Tables;
        SwarBytes marksOf = new(tables + Tables.SwarAt);
        byte* to = text;
        while (at < end)
        {
            // Eight bytes are copied before it is known how many of them are plain; what is too much gets
            // overwritten, or is slack.
            ulong word = Swar.Load(at);
            Swar.Store(to, word);
            ulong marks = Swar.NotPlain(word, marksOf);
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
            byte stop = *at;
            if (stop == (byte)'"')
            {
                *bytesOut = (ulong)(to - text);
                return at + 1;
            }
            if (stop >= 0x80)
            {
                byte* behind = ReadSequence(reader, at, to);
                if (behind == null)
                {
                    return null;
                }
                to += behind - at;
                at = behind;
                continue;
            }
            if (stop != (byte)'\\')
            {
                return Reader.Stop(reader, Error.Control, at);
            }
            byte* next = ReadUsualEscape(tables, at, end, ref to);
            if (next == null)
            {
                ulong bytes = 0;
                next = ReadEscape(reader, at, to, &bytes);
                if (next == null)
                {
                    return null;
                }
                to += bytes;
            }
            at = next;
        }
        return Reader.Stop(reader, Error.Truncated, end);
    }
}
