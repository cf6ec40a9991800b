// Bits.cs: words of bits, by the instructions that the kernels need anyway.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

internal static class Bits
{
    /// <summary>The number of the lowest bit that is set; 64 for none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint Lowest(ulong bits) => (nuint)Bmi1.X64.TrailingZeroCount(bits);

    /// <summary>The number of the lowest bit that is set; 32 for none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint Lowest(uint bits) => Bmi1.TrailingZeroCount(bits);

    /// <summary>The bits but the lowest that is set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong WithoutLowest(ulong bits) => Bmi1.X64.ResetLowestSetBit(bits);

    /// <summary>How many bits are set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint Count(ulong bits) => (nuint)Popcnt.X64.PopCount(bits);

    /// <summary>Bits below number <paramref name="count"/> (0 to 63) of <paramref name="bits"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Below(ulong bits, ulong count) => Bmi2.X64.ZeroHighBits(bits, count);

    /// <summary>1 or 0, without a branch: a choice between constants may become one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint One(bool condition) => Unsafe.BitCast<bool, byte>(condition);

    /// <summary>All ones or 0, without a branch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong Mask(bool condition) => 0UL - Unsafe.BitCast<bool, byte>(condition);
}
