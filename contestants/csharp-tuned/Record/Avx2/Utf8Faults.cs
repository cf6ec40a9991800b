// Utf8Faults.cs: avx2/utf8_faults.h: UTF-8 of the AVX2 kernel. Keiser, Lemire, Validating UTF-8 in less than one
// instruction per byte, SPE 51 (2021).
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

internal static unsafe class Utf8Faults
{
    // Not 0 where the 32 bytes at `at` go wrong, with the three before them.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> Of32(byte* at)
    {
        Vector256<byte> half = Vector256.Create((byte)0x0F);
        Vector256<byte> v = Block.Load32(at);
        Vector256<byte> before = Block.Load32(at - 1);
        Vector256<byte> a = Avx2.Shuffle(KernelUtf8.FirstHigh, High(before, half));
        Vector256<byte> b = Avx2.Shuffle(KernelUtf8.FirstLow, Avx2.And(before, half));
        Vector256<byte> c = Avx2.Shuffle(KernelUtf8.SecondHigh, High(v, half));
        Vector256<byte> special = Avx2.And(Avx2.And(a, b), c);
        Vector256<byte> third = Avx2.SubtractSaturate(Block.Load32(at - 2), Vector256.Create((byte)(0xE0 - 0x80)));
        Vector256<byte> fourth = Avx2.SubtractSaturate(Block.Load32(at - 3), Vector256.Create((byte)(0xF0 - 0x80)));
        // (third | fourth) & 0x80 must be what `special` says of two continuation bytes.
        Vector256<byte> must = Avx2.And(Avx2.Or(third, fourth), Vector256.Create((byte)0x80));
        return Avx2.Xor(must, special);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> High(Vector256<byte> v, Vector256<byte> half) =>
        Avx2.And(Avx2.ShiftRightLogical(v.AsUInt16(), 4).AsByte(), half);

    /// <summary>Whether the block at <paramref name="at"/> goes wrong, with the three bytes before it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool AreIn(byte* at) => !Block.IsZero(Avx2.Or(Of32(at), Of32(at + 32)));
}
