// KernelChunk.cs: kernel_chunk.h: a piece of text that a vector kernel reads at once.
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>A chunk: text that begins where a record may begin, so that no state comes from before it.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Chunk
{
    /// <summary>Bytes that are looked at as one word of 64 bits.</summary>
    public const uint BlockBytes = 64;

    /// <summary>What the guess path looks at from a record's brace on; longer records go the other way.</summary>
    public const uint DirectBytes = 256;

    /// <summary>
    /// How far ahead the text is asked for: the hardware's own prefetch stops at each page's end, and between two chunks.
    /// </summary>
    public const uint PrefetchBytes = 4096;

    /// <summary>Entries that are there behind the last one, whatever they are: a record has at most 63.</summary>
    public const uint LookAhead = 96;

    public byte* Text;

    /// <summary>At most Scratch.ChunkBytes.</summary>
    public nuint Bytes;

    public Scratch* Scratch;
    public byte* Tables;

    /// <summary>Entries of index and stream.</summary>
    public nuint Count;

    /// <summary>At or before the first byte that cannot be accepted; nuint.MaxValue: none.</summary>
    public nuint DirtyFrom;

    /// <summary>Offset of the first block with a backslash; nuint.MaxValue: none.</summary>
    public nuint EscapesFrom;
}
