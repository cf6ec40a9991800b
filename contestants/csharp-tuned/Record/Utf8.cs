// Utf8.cs: one UTF-8 sequence at a time: checking and writing.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal static unsafe class Utf8
{
    public const int Malformed = 0;
    public const int Cut = -1;

    /// <summary>
    /// Bytes (2 to 4) of the well-formed sequence that begins at <paramref name="at"/> before <paramref name="end"/>
    /// with a byte of at least 0x80 (RFC 3629 section 4). Malformed: none does. Cut: the end comes too early, and up
    /// to it nothing is wrong.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Sequence(byte* at, byte* end)
    {
        byte lead = *at;
        int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (end - at < length || lead < 0xC2)
        {
            return OddSequence(at, end);
        }
        uint second = at[1];
        if (length == 2)
        {
            return IsFollower(second) ? 2 : Malformed;
        }
        if (length == 3)
        {
            // The second byte of these leads is limited further: no overlong forms, no surrogates.
            uint low = lead == 0xE0 ? 0xA0u : 0x80;
            uint high = lead == 0xED ? 0x9Fu : 0xBF;
            return second >= low && second <= high && IsFollower(at[2]) ? 3 : Malformed;
        }
        return OddSequence(at, end);
    }

    private static bool IsFollower(uint value) => (value & 0xC0) == 0x80;

    // Any sequence, byte by byte.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int OddSequence(byte* at, byte* end)
    {
        byte lead = *at;
        int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        // The second byte of these four leads is limited further: no overlong forms, no surrogates, nothing past
        // U+10FFFF.
        byte low = lead == 0xE0 ? (byte)0xA0 : lead == 0xF0 ? (byte)0x90 : (byte)0x80;
        byte high = lead == 0xED ? (byte)0x9F : lead == 0xF4 ? (byte)0x8F : (byte)0xBF;
        for (int i = 1; i < length; i++)
        {
            if (at + i == end)
            {
                return Cut;
            }
            if (at[i] < low || at[i] > high)
            {
                return Malformed;
            }
            low = 0x80;
            high = 0xBF;
        }
        return length;
    }

    /// <summary>Writes a Unicode scalar value as 1 to 4 bytes; returns their number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Write(uint scalar, byte* to)
    {
        if (scalar < 0x80)
        {
            to[0] = (byte)scalar;
            return 1;
        }
        if (scalar < 0x800)
        {
            to[0] = (byte)(0xC0 | scalar >> 6);
            to[1] = (byte)(0x80 | (scalar & 0x3F));
            return 2;
        }
        if (scalar < 0x10000)
        {
            to[0] = (byte)(0xE0 | scalar >> 12);
            to[1] = (byte)(0x80 | (scalar >> 6 & 0x3F));
            to[2] = (byte)(0x80 | (scalar & 0x3F));
            return 3;
        }
        to[0] = (byte)(0xF0 | scalar >> 18);
        to[1] = (byte)(0x80 | (scalar >> 12 & 0x3F));
        to[2] = (byte)(0x80 | (scalar >> 6 & 0x3F));
        to[3] = (byte)(0x80 | (scalar & 0x3F));
        return 4;
    }
}
