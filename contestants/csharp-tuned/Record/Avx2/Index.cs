// Index.cs: avx2/index.h: pass 1 of the AVX2 kernel: blocks of 64 bytes to masks, and masks to an index of structural
// bytes.
//
// For every brace, bracket, colon, comma and unescaped quote outside of strings, and for the first byte of everything
// else that stands there (a number, or what has no business being there), one entry: its position and the byte itself.
// Method: Langdale, Lemire, Parsing gigabytes of JSON per second, VLDB J. 28 (2019).
//
// The loop over all blocks has no branch that depends on the text, and only looks for strings: most blocks of long
// messages lie inside of one. What else a block needs (its entries, UTF-8, escapes) is put on lists, and loops of their
// own work these off.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>What one block hands on to the next, and how long the lists are.</summary>
internal struct Scan
{
    /// <summary>All ones inside a string.</summary>
    public ulong InString;

    /// <summary>Bit 0: the next block's first byte is escaped.</summary>
    public ulong Escaped;

    /// <summary>Not 0: an escape of this block may write to the next.</summary>
    public ulong Reaching;

    public nuint EscapedBlocksCount;
    public nuint OutsideCount;
    public nuint BeyondAsciiCount;
    public nuint DirtyFrom;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void NoteDirty(nuint offset) => DirtyFrom = offset < DirtyFrom ? offset : DirtyFrom;
}

internal static unsafe class Index
{
    /// <summary>What IndexTail() needs: what comes before the tail, the tail, and blanks.</summary>
    internal const uint TailBytes = 32 + Chunk.BlockBytes;

    private const uint BlockBytes = Chunk.BlockBytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong PrefixXor(ulong bits)
    {
        Vector128<ulong> ones = Vector128<ulong>.AllBitsSet;
        return Pclmulqdq.CarrylessMultiply(Vector128.CreateScalarUnsafe(bits), ones, 0).ToScalar();
    }

    // Which bytes a backslash escapes. `carry`: the first byte of the block, then of the next one. Langdale, Lemire
    // 2019, section 3.1.1, in the form with one subtraction.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindEscaped(ulong backslash, ref ulong carry)
    {
        const ulong odd = 0xAAAAAAAAAAAAAAAA;
        ulong possible = Bmi1.X64.AndNot(carry, backslash);
        ulong codes = ((possible << 1 | odd) - possible) ^ odd;
        ulong escaped = codes ^ (backslash | carry);
        carry = (codes & backslash) >> 63;
        return escaped;
    }

    // Sorts the bytes outside of strings. 0x0C passes as a comma and 0x1A as a colon: they get entries, where the byte
    // itself then fits nowhere.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindOperators(Vector256<byte> low, Vector256<byte> high)
    {
        const byte none = 0xFF;
        Vector256<byte> table = Vector256.Create(
            none, none, none, none, none, none, none, none, none, none, (byte)':', (byte)'{', (byte)',', (byte)'}',
            none, none, none, none, none, none, none, none, none, none, none, none, (byte)':', (byte)'{', (byte)',',
            (byte)'}', none, none);
        Vector256<byte> bit = Vector256.Create((byte)0x20);
        return Block.JoinMasks(
            Avx2.CompareEqual(Avx2.Or(low, bit), Avx2.Shuffle(table, low)),
            Avx2.CompareEqual(Avx2.Or(high, bit), Avx2.Shuffle(table, high)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindSpaces(Vector256<byte> low, Vector256<byte> high)
    {
        const byte none = 0xFF;
        Vector256<byte> table = Vector256.Create(
            (byte)' ', none, none, none, none, none, none, none, none, (byte)'\t', (byte)'\n', none, none, (byte)'\r',
            none, none, (byte)' ', none, none, none, none, none, none, none, none, (byte)'\t', (byte)'\n', none, none,
            (byte)'\r', none, none);
        return Block.EqualToOwn(low, high, table);
    }

    // Not 0 where the block at `at`, or one of the three bytes before it, is not ASCII. Before a chunk stands a brace or
    // bracket; what may stand before that can only lead to a needless check.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint IsBeyondAscii(byte* at, Vector256<byte> low, Vector256<byte> high)
    {
        uint before = Unsafe.ReadUnaligned<uint>(at - 4);
        return Block.TopBits(Avx2.Or(low, high)) | (before & 0x80808000u);
    }

    // Bytes below a blank. Asking the whole block first with one minimum is a branch missed at each line end of indented
    // text.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindControl(Vector256<byte> low, Vector256<byte> high)
    {
        Vector256<byte> last = Vector256.Create((byte)0x1F);
        return Block.JoinMasks(
            Avx2.CompareEqual(Avx2.Min(low, last), low), Avx2.CompareEqual(Avx2.Min(high, last), high));
    }

    // Looks at the block at `at`, which is the chunk's at `offset` (or a copy of its tail). Returns its control characters
    // in strings.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong IndexBlock(ref Scan scan, Scratch* scratch, byte* at, nuint offset)
    {
        Vector256<byte> low = Block.Load32(at);
        Vector256<byte> high = Block.Load32(at + 32);
        ulong backslash = Block.EqualTo(low, high, (byte)'\\');
        ulong escaped = FindEscaped(backslash, ref scan.Escaped);
        ulong quote = Bmi1.X64.AndNot(escaped, Block.EqualTo(low, high, (byte)'"'));
        ulong inString = PrefixXor(quote) ^ scan.InString;
        scan.InString = (ulong)((long)inString >> 63);
        Outside* outside = Scratch.OutsideOf(scratch) + scan.OutsideCount;
        outside->Quote = quote;
        outside->InString = inString;
        outside->Offset = offset;
        scan.OutsideCount += Bits.One(Bmi1.X64.AndNot(quote, inString) != ulong.MaxValue);
        nuint block = offset / BlockBytes;
        ulong touched = escaped | scan.Reaching;
        scan.Reaching = escaped >> 62;
        scratch->Escaped[block] = escaped;
        scratch->Touched[block] = touched;
        scratch->Keep[block] = escaped | ~backslash;
        scratch->EscapedBlocks[scan.EscapedBlocksCount] = (ushort)offset;
        scan.EscapedBlocksCount += Bits.One(touched != 0);
        scratch->BeyondAscii[scan.BeyondAsciiCount] = (ushort)offset;
        scan.BeyondAsciiCount += Bits.One(IsBeyondAscii(at, low, high) != 0);
        return FindControl(low, high) & inString;
    }

    // Finds the first block with a control character in a string. All blocks are looked at once more, so that the lists
    // end up as they were.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FindDirty(Scan* scanIo, Chunk* chunk)
    {
        Scan scan = default;
        for (nuint offset = 0; offset + BlockBytes <= chunk->Bytes; offset += BlockBytes)
        {
            if (IndexBlock(ref scan, chunk->Scratch, chunk->Text + offset, offset) != 0)
            {
                scanIo->NoteDirty(offset);
            }
        }
    }

    /// <summary>Looks at all whole blocks. A function of its own, so that what goes from block to block stays in registers.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void IndexBlocks(Scan* scanIo, Chunk* chunk)
    {
        Scan scan = *scanIo;
        Scratch* scratch = chunk->Scratch;
        byte* text = chunk->Text;
        nuint last = chunk->Bytes;
        ulong control = 0;
        for (nuint offset = 0; offset + BlockBytes <= last; offset += BlockBytes)
        {
            Sse.Prefetch0(text + offset + Chunk.PrefetchBytes);
            control |= IndexBlock(ref scan, scratch, text + offset, offset);
        }
        *scanIo = scan;
        if (control != 0)
        {
            FindDirty(scanIo, chunk);
        }
    }

    /// <summary>
    /// Looks at what is left behind the last whole block: <paramref name="room"/> of TailBytes gets it, followed by blanks.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void IndexTail(Scan* scan, Chunk* chunk, byte* room)
    {
        nuint left = chunk->Bytes % BlockBytes;
        nuint offset = chunk->Bytes - left;
        Unsafe.InitBlockUnaligned(room + 32, (byte)' ', BlockBytes);
        Unsafe.CopyBlockUnaligned(room, chunk->Text + offset - 32, 32 + (uint)left);
        nuint listed = scan->BeyondAsciiCount;
        ulong control = IndexBlock(ref *scan, chunk->Scratch, room + 32, offset);
        scan->BeyondAsciiCount = listed;
        if (control != 0)
        {
            scan->NoteDirty(offset);
        }
        if (Utf8Faults.AreIn(room + 32))
        {
            scan->NoteDirty(offset < 4 ? 0 : offset - 4);
        }
    }

    /// <summary>Works off the list of blocks that are not ASCII.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void CheckUtf8(Scan* scan, Chunk* chunk)
    {
        ushort* list = chunk->Scratch->BeyondAscii;
        byte* text = chunk->Text;
        nuint count = scan->BeyondAsciiCount;
        for (nuint i = 0; i < count; i++)
        {
            nuint offset = list[i];
            if (Utf8Faults.AreIn(text + offset))
            {
                scan->NoteDirty(offset < 4 ? 0 : offset - 4);
            }
        }
    }

    // Writes the entries of sixteen bytes of text, of which `bits` are some, behind `count` others. Returns how many there
    // are then.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint AppendSixteen(
        byte* tables, byte* stream, ushort* position, byte* text, nuint count, uint bits, Vector256<ushort> at)
    {
        ushort part = (ushort)bits;
        Vector128<byte> set = Block.LoadSetBits(tables, part);
        Sse2.Store(stream + count, Ssse3.Shuffle(Block.Load16(text), set));
        Avx.Store(position + count, Avx2.Add(at, Avx2.ConvertToVector256Int16(set).AsUInt16()));
        return count + Bits.Count(part);
    }

    // Writes the entries of the block at `offset` of `text` behind `count` others, sixteen bytes of text a step. Returns how
    // many there are then.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint AppendBlock(
        byte* tables, byte* stream, ushort* position, byte* text, nuint count, nuint offset, ulong entries)
    {
        Vector256<ushort> sixteen = Vector256.Create((ushort)16);
        Vector256<ushort> at = Vector256.Create((ushort)offset);
        text += offset;
        count = AppendSixteen(tables, stream, position, text, count, (uint)entries, at);
        at = Avx2.Add(at, sixteen);
        count = AppendSixteen(tables, stream, position, text + 16, count, (uint)entries >> 16, at);
        at = Avx2.Add(at, sixteen);
        count = AppendSixteen(tables, stream, position, text + 32, count, (uint)(entries >> 32), at);
        at = Avx2.Add(at, sixteen);
        return AppendSixteen(tables, stream, position, text + 48, count, (uint)(entries >> 48), at);
    }

    // The entries of a block that is not all inside a string. `otherIo`: bit 0 says that the byte before is neither
    // structural nor white space. (Where blocks between two of the list are inside a string, it is clear.)
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong FindEntries(Vector256<byte> low, Vector256<byte> high, Outside* outside, ref ulong otherIo)
    {
        ulong operators = FindOperators(low, high);
        ulong inside = outside->InString | outside->Quote;
        ulong other = ~(operators | FindSpaces(low, high) | inside);
        ulong starts = Bmi1.X64.AndNot(other << 1 | otherIo, other);
        otherIo = other >> 63;
        return Bmi1.X64.AndNot(outside->InString, operators) | outside->Quote | starts;
    }

    /// <summary>
    /// Works off the list of blocks with entries. <paramref name="tail"/>: what to read of a last, cut-off one. Returns how
    /// many entries there are.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static nuint AppendEntries(Scan* scan, Chunk* chunk, byte* tail)
    {
        Scratch* scratch = chunk->Scratch;
        byte* tables = chunk->Tables;
        byte* text = chunk->Text;
        byte* stream = scratch->Stream;
        ushort* position = scratch->Position;
        nuint bytes = chunk->Bytes;
        Outside* outside = Scratch.OutsideOf(scratch);
        Outside* last = outside + scan->OutsideCount;
        nuint count = 0;
        ulong other = 0;
        for (; outside < last; outside++)
        {
            nuint offset = (nuint)outside->Offset;
            byte* at = offset + BlockBytes <= bytes ? text + offset : tail;
            ulong entries = FindEntries(Block.Load32(at), Block.Load32(at + 32), outside, ref other);
            count = AppendBlock(tables, stream, position, text, count, offset, entries);
        }
        return count;
    }
}
