// Compare.cs: avx2/compare.h: comparing bytes in the AVX2 kernel.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

internal static unsafe class Compare
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong DifferingBytes(byte* at, byte* other) => ~Block.JoinMasks(
        Avx2.CompareEqual(Block.Load32(at), Block.Load32(other)),
        Avx2.CompareEqual(Block.Load32(at + 32), Block.Load32(other + 32)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint WordDiffers(WordSlot* slot, byte* at)
    {
        Vector128<byte> equal = Sse2.CompareEqual(Block.Load16(at), Block.Load16(slot->Text));
        return Bmi1.AndNot((uint)Sse2.MoveMask(equal), slot->TextMask);
    }
}
