// KernelUtf8.cs: kernel_utf8.h: the tables by which the vector kernels check UTF-8. Keiser, Lemire, Validating UTF-8 in
// less than one instruction per byte, SPE 51 (2021).
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace MatchRace.Tuned;

/// <summary>What each half of a byte and of the one behind it speaks for; a fault is what all three name.</summary>
internal static class KernelUtf8
{
    private const byte TooShort = 1;
    private const byte TooLong = 2;
    private const byte Overlong3 = 4;
    private const byte TooLarge = 8;
    private const byte Surrogate = 16;
    private const byte Overlong2 = 32;
    private const byte TooLarge1000 = 64;
    private const byte Overlong4 = 64;
    private const byte TwoConts = 128;
    private const byte Carry = TooShort | TooLong | TwoConts;
    private const byte CarryLarge = Carry | TooLarge | TooLarge1000;
    private const byte Continues = TooLong | Overlong2 | TwoConts;

    /// <summary>By the first byte's upper half; both lanes.</summary>
    internal static Vector256<byte> FirstHigh
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Vector256.Create(
            TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong,
            TwoConts, TwoConts, TwoConts, TwoConts, TooShort | Overlong2, TooShort,
            TooShort | Overlong3 | Surrogate, TooShort | TooLarge | TooLarge1000 | Overlong4,
            TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong, TooLong,
            TwoConts, TwoConts, TwoConts, TwoConts, TooShort | Overlong2, TooShort,
            TooShort | Overlong3 | Surrogate, TooShort | TooLarge | TooLarge1000 | Overlong4);
    }

    /// <summary>By the first byte's lower half; both lanes.</summary>
    internal static Vector256<byte> FirstLow
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Vector256.Create(
            Carry | Overlong3 | Overlong2 | Overlong4, Carry | Overlong2, Carry, Carry,
            Carry | TooLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge,
            CarryLarge, CarryLarge | Surrogate, CarryLarge, CarryLarge,
            Carry | Overlong3 | Overlong2 | Overlong4, Carry | Overlong2, Carry, Carry,
            Carry | TooLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge, CarryLarge,
            CarryLarge, CarryLarge | Surrogate, CarryLarge, CarryLarge);
    }

    /// <summary>By the second byte's upper half; both lanes.</summary>
    internal static Vector256<byte> SecondHigh
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Vector256.Create(
            TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort,
            Continues | Overlong3 | TooLarge1000 | Overlong4, Continues | Overlong3 | TooLarge,
            Continues | Surrogate | TooLarge, Continues | Surrogate | TooLarge,
            TooShort, TooShort, TooShort, TooShort,
            TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort, TooShort,
            Continues | Overlong3 | TooLarge1000 | Overlong4, Continues | Overlong3 | TooLarge,
            Continues | Surrogate | TooLarge, Continues | Surrogate | TooLarge,
            TooShort, TooShort, TooShort, TooShort);
    }
}
