// Strings.cs: avx2/strings.h: strings of the AVX2 kernel, from the text to their place.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

internal static unsafe class Strings
{
    // Copies `length` bytes without escapes; up to 63 more are overwritten.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyPlain(byte* from, nuint length, byte* output)
    {
        nuint at = 0;
        do
        {
            Vector256<byte> low = Block.Load32(from + at);
            Vector256<byte> high = Block.Load32(from + at + 32);
            Block.Store32(output + at, low);
            Block.Store32(output + at + 32, high);
            at += Chunk.BlockBytes;
        }
        while (at < length);
    }

    // Writes the bytes of the block at `from` that `keep` has, sixteen a step, to `output`; up to 16 more are
    // overwritten. Returns the position behind them.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* CopyKept(byte* tables, byte* from, ulong keep, byte* output)
    {
        output = CopySixteen(tables, from, (uint)keep, output);
        output = CopySixteen(tables, from + 16, (uint)keep >> 16, output);
        output = CopySixteen(tables, from + 32, (uint)(keep >> 32), output);
        return CopySixteen(tables, from + 48, (uint)(keep >> 48), output);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* CopySixteen(byte* tables, byte* from, uint keep, byte* output)
    {
        ushort part = (ushort)keep;
        Sse2.Store(output, Ssse3.Shuffle(Block.Load16(from), Block.LoadSetBits(tables, part)));
        return output + Bits.Count(part);
    }

    // Whether all of the bytes [from, end) stay. May say no of more than 56.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool StaysWhole(Scratch* scratch, nuint from, nuint end)
    {
        ulong drop = ~Swar.Load((byte*)scratch->Keep + from / 8) >> (int)(from % 8);
        return end - from <= 56 && Bits.Below(drop, end - from) == 0;
    }

    /// <summary>As IKernel says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint CopyText(Chunk* chunk, nuint from, nuint end, byte* output)
    {
        if (end <= chunk->EscapesFrom || StaysWhole(chunk->Scratch, from, end))
        {
            CopyPlain(chunk->Text + from, end - from, output);
            return end - from;
        }
        return CopyTouched(chunk, from, end, output);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint CopyTouched(Chunk* chunk, nuint from, nuint end, byte* output)
    {
        Scratch* scratch = chunk->Scratch;
        byte* tables = chunk->Tables;
        byte* text = chunk->Text;
        byte* copy = scratch->Copy;
        byte* start = output;
        ulong range = ulong.MaxValue << (int)(from % Chunk.BlockBytes);
        for (nuint at = from - from % Chunk.BlockBytes; at < end; at += Chunk.BlockBytes)
        {
            nuint left = end - at;
            if (left < Chunk.BlockBytes)
            {
                range = Bits.Below(range, left);
            }
            ulong keep = scratch->Keep[at / Chunk.BlockBytes] & range;
            byte* block = (scratch->Touched[at / Chunk.BlockBytes] != 0 ? copy : text) + at;
            output = CopyKept(tables, block, keep, output);
            range = ulong.MaxValue;
        }
        return (nuint)(output - start);
    }
}
