// Uint128.cs: products of two 64-bit words; uint128.h.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

internal static class Uint128
{
    /// <summary>The upper half of a product; the lower one is <c>left * right</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong High(ulong left, ulong right)
    {
        // Math.BigMul's second result goes through memory; two multiplications are cheaper.
        return Bmi2.X64.IsSupported ? Bmi2.X64.MultiplyNoFlags(left, right) : Math.BigMul(left, right, out _);
    }

    /// <summary>Both halves of a product, combined by exclusive or.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Fold(ulong left, ulong right) => High(left, right) ^ (left * right);
}
