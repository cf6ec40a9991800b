using System;
using System.Buffers;
using System.Globalization;
using MatchRace.Common;

namespace MatchRace.NewtonsoftStrict;

/// <summary>What RFC 8259 demands of a token's text, as far as the library takes more.</summary>
internal static class RawText
{
    private static readonly SearchValues<char> s_space = SearchValues.Create(" \t\r\n");
    private static readonly SearchValues<char> s_special = SearchValues.Create(Special());

    /// <summary>How much white space the text begins with.</summary>
    public static int SpaceLength(ReadOnlySpan<char> text)
    {
        if (text.Length == 0 || text[0] > ' ')
        {
            return 0;
        }
        int length = text.IndexOfAnyExcept(s_space);
        return length < 0 ? text.Length : length;
    }

    /// <summary>
    /// A number as RFC 8259 writes it: no leading zero, no plus, digits on both sides of a point and behind an exponent.
    /// </summary>
    public static bool IsNumber(ReadOnlySpan<char> text)
    {
        ReadOnlySpan<char> rest = text.StartsWith('-') ? text[1..] : text;
        int digits = Digits(rest);
        if (digits == 0 || (digits > 1 && rest[0] == '0'))
        {
            return false;
        }
        rest = rest[digits..];
        if (rest.StartsWith('.'))
        {
            digits = Digits(rest[1..]);
            if (digits == 0)
            {
                return false;
            }
            rest = rest[(1 + digits)..];
        }
        if (rest.Length > 0 && rest[0] is 'e' or 'E')
        {
            rest = rest[1..];
            rest = rest.Length > 0 && rest[0] is '+' or '-' ? rest[1..] : rest;
            return rest.Length > 0 && Digits(rest) == rest.Length;
        }
        return rest.Length == 0;
    }

    /// <summary>
    /// Looks at what stands between the quotes of a string that the library has read: its escapes are whole, and only one
    /// of them is none of JSON's.
    /// </summary>
    public static BatchError CheckString(ReadOnlySpan<char> text)
    {
        ReadOnlySpan<char> rest = text;
        for (int at = rest.IndexOfAny(s_special); at >= 0; at = rest.IndexOfAny(s_special))
        {
            rest = rest[at..];
            if (rest[0] != '\\')
            {
                return BatchError.Control;
            }
            int length = EscapeLength(rest);
            if (length == 0)
            {
                return rest[1] == 'u' ? BatchError.Surrogate : BatchError.Escape;
            }
            rest = rest[length..];
        }
        return BatchError.None;
    }

    // Of an escape, or of two that name a pair; 0: it is none, or half of a pair.
    private static int EscapeLength(ReadOnlySpan<char> text)
    {
        if (text[1] != 'u')
        {
            return text[1] == '\'' ? 0 : 2;
        }
        char unit = Unit(text);
        if (!char.IsSurrogate(unit))
        {
            return 6;
        }
        bool isPair = char.IsHighSurrogate(unit) && text[6..].StartsWith("\\u") && char.IsLowSurrogate(Unit(text[6..]));
        return isPair ? 12 : 0;
    }

    private static char Unit(ReadOnlySpan<char> text) =>
        (char)ushort.Parse(text[2..6], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    private static int Digits(ReadOnlySpan<char> text)
    {
        int length = text.IndexOfAnyExceptInRange('0', '9');
        return length < 0 ? text.Length : length;
    }

    // What ends a stretch of plain text: a backslash, and what must be escaped.
    private static char[] Special()
    {
        char[] special = new char[33];
        for (int i = 0; i < 32; i++)
        {
            special[i] = (char)i;
        }
        special[32] = '\\';
        return special;
    }
}
