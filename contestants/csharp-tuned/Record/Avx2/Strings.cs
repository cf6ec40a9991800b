// Strings.cs: avx2/strings.h: strings of the AVX2 kernel, from the text to their place.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

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

    // How many escapes of the chunk stand before `offset`.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint EscapesBefore(Scratch* scratch, nuint offset)
    {
        nuint block = offset / Chunk.BlockBytes;
        ulong before = Bits.Below(scratch->Escaped[block], offset % Chunk.BlockBytes);
        return scratch->EscapesBefore[block] + Bits.Count(before);
    }

    /// <summary>As IKernel says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static nuint CopyText(Chunk* chunk, nuint from, nuint end, byte* output)
    {
        byte* start = output;
        byte* text = chunk->Text;
        byte* source = text + from;
        if (end > chunk->EscapesFrom)
        {
            Scratch* scratch = chunk->Scratch;
            Escape* escape = Scratch.EscapesOf(scratch) + EscapesBefore(scratch, from);
            Escape* behind = Scratch.EscapesOf(scratch) + EscapesBefore(scratch, end);
            for (; escape < behind; escape++)
            {
                byte* letter = text + escape->At;
                nuint piece = (nuint)(letter - 1 - source);
                CopyPlain(source, piece, output);
                output += piece;
                Unsafe.WriteUnaligned(output, escape->Text);
                output += escape->Bytes;
                source = letter + escape->Skip;
            }
        }
        nuint length = (nuint)(text + end - source);
        CopyPlain(source, length, output);
        return (nuint)(output - start) + length;
    }
}
