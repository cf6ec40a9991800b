// Swar.cs: eight bytes at a time in one 64-bit word (little-endian: the first byte is the lowest).
using System.Numerics;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

/// <summary>Words of one repeated byte, from memory: a constant would be made anew in every turn of a loop.</summary>
internal readonly unsafe struct SwarBytes(byte* at)
{
    public readonly ulong Twos = ((ulong*)at)[0];
    public readonly ulong Exclamations = ((ulong*)at)[1];
    public readonly ulong Backslashes = ((ulong*)at)[2];
    public readonly ulong Ones = ((ulong*)at)[3];
    public readonly ulong Tops = ((ulong*)at)[4];
}

internal static unsafe class Swar
{
    private const ulong Ones = 0x0101010101010101;
    private const ulong Tops = 0x8080808080808080;

    /// <summary>The eight bytes from <paramref name="at"/> on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Load(byte* at) => Unsafe.ReadUnaligned<ulong>(at);

    /// <summary>Writes the eight bytes of <paramref name="word"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store(byte* to, ulong word) => Unsafe.WriteUnaligned(to, word);

    /// <summary>Fills the words of <see cref="SwarBytes"/>.</summary>
    public static void FillBytes(ulong* words)
    {
        words[0] = Ones * 0x02;
        words[1] = Ones * 0x21;
        words[2] = Ones * (byte)'\\';
        words[3] = Ones;
        words[4] = Tops;
    }

    /// <summary>
    /// Marks (top bit set) the bytes that end a run of plain ASCII in a JSON string: quote, backslash, control
    /// characters, bytes from 0x80 on. With bit 1 turned, quotes and control characters are all below '!', and nothing
    /// else is. Bytes above a marked one may be marked wrongly (borrow); the lowest mark is always right.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong NotPlain(ulong word, in SwarBytes bytes) =>
        (((word ^ bytes.Twos) - bytes.Exclamations) | ((word ^ bytes.Backslashes) - bytes.Ones) | word) & bytes.Tops;

    /// <summary>The index (0 to 7) of the lowest of some marks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint First(ulong marks) => (uint)BitOperations.TrailingZeroCount(marks) / 8;

    /// <summary>Whether all eight bytes are ASCII digits: each has the high half 3, and keeps it when 6 is added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool AllDigits(ulong word)
    {
        const ulong highHalves = Ones * 0xF0;
        return ((word & highHalves) | (((word + Ones * 0x06) & highHalves) >> 4)) == Ones * 0x33;
    }

    /// <summary>The number that eight ASCII digits say: pairs, then fours, then all.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Number(ulong word)
    {
        word -= Ones * (byte)'0';
        word = word * 10 + (word >> 8);
        ulong foursA = (word & 0x000000FF000000FF) * (100 + (1000000UL << 32));
        ulong foursB = ((word >> 16) & 0x000000FF000000FF) * (1 + (10000UL << 32));
        return (foursA + foursB) >> 32;
    }
}
