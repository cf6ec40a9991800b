// Swar.cs: eight bytes at a time in one 64-bit word (little-endian: the first byte is the lowest).
using System.Numerics;
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

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

    /// <summary>
    /// Marks (top bit set) the bytes of <paramref name="word"/> below <paramref name="limit"/> of at most 0x80. Bytes
    /// above a marked one may be marked wrongly (borrow); the lowest mark is always right.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Below(ulong word, byte limit) => (word - Ones * limit) & ~word & Tops;

    /// <summary>Marks the bytes equal to <paramref name="value"/>; only the lowest mark is always right.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Equal(ulong word, byte value) => Below(word ^ (Ones * value), 1);

    /// <summary>
    /// Marks the bytes that end a run of plain ASCII in a JSON string: quote, backslash, control characters, bytes
    /// from 0x80 on. The lowest mark is always right.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong NotPlain(ulong word) =>
        Equal(word, (byte)'"') | Equal(word, (byte)'\\') | Below(word, 0x20) | (word & Tops);

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
