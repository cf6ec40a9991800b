// Block.cs: avx2/block.h: 64 bytes of text as two AVX2 registers, and masks of them, one bit a byte.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

internal static unsafe class Block
{
    /// <summary>Bytes of a block.</summary>
    internal const uint Bytes = 64;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector256<byte> Load32(byte* at) => Avx.LoadVector256(at);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> Load16(byte* at) => Sse2.LoadVector128(at);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> Load8(byte* at) => Sse2.LoadScalarVector128((ulong*)at).AsByte();

    /// <summary>
    /// The numbers of the bits that are set in sixteen, as indices for a shuffle of sixteen bytes.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> LoadSetBits(byte* tables, ushort sixteen)
    {
        Vector128<byte> upper = Vector128.Create(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, (byte)8);
        double* rows = (double*)Tables.SetBits(tables);
        nuint first = (byte)sixteen;
        Vector128<double> bits = Sse2.LoadHigh(Sse2.LoadScalarVector128(rows + first), rows + (nuint)(sixteen >> 8));
        return Ssse3.Shuffle(
            Sse2.Add(bits.AsByte(), upper), Load16(VectorTables.JoinHalves(tables) + 16 * Bits.Count(first)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Store32(byte* at, Vector256<byte> v) => Avx.Store(at, v);

    /// <summary>The top bits of 32 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint TopBits(Vector256<byte> v) => (uint)Avx2.MoveMask(v);

    /// <summary>The top bits of 64 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong JoinMasks(Vector256<byte> low, Vector256<byte> high) =>
        TopBits(low) | (ulong)TopBits(high) << 32;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EqualTo(Vector256<byte> low, Vector256<byte> high, byte wanted)
    {
        Vector256<byte> all = Vector256.Create(wanted);
        return JoinMasks(Avx2.CompareEqual(low, all), Avx2.CompareEqual(high, all));
    }

    /// <summary>Of the 64 bytes at <paramref name="at"/> those that are <paramref name="wanted"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EqualTo(byte* at, byte wanted) => EqualTo(Load32(at), Load32(at + 32), wanted);

    /// <summary>
    /// The bytes that <paramref name="table"/> has at the place of their lower half. Bytes from 0x80 on are none: there
    /// the shuffle gives 0.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EqualToOwn(Vector256<byte> low, Vector256<byte> high, Vector256<byte> table) =>
        JoinMasks(Avx2.CompareEqual(low, Avx2.Shuffle(table, low)), Avx2.CompareEqual(high, Avx2.Shuffle(table, high)));

    /// <summary>A row of Tables.All().</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector256<byte> AllOf(byte* tables, AllBytes row) => Load32(Tables.All(tables, row));

    /// <summary>Of the 64 bytes at <paramref name="at"/> + <paramref name="offset"/> those that are the byte of a row of Tables.All().</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong EqualToAll(byte* tables, byte* at, nuint offset, AllBytes row)
    {
        Vector256<byte> all = AllOf(tables, row);
        return JoinMasks(
            Avx2.CompareEqual(Load32(at + offset), all), Avx2.CompareEqual(Load32(at + (offset + 32)), all));
    }

    /// <summary>Whether no bit is set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsZero(Vector256<byte> v) => Avx.TestZ(v, v);

    /// <summary>Whole and upper lane from two places.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector256<byte> TwoLanes(byte* a, byte* b) =>
        Avx2.InsertVector128(Load16(a).ToVector256Unsafe(), Load16(b), 1);
}
