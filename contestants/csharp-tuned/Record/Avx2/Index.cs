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

    public nuint EscapesCount;
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
        ulong escaped = FindEscaped(Block.EqualTo(low, high, (byte)'\\'), ref scan.Escaped);
        ulong quote = Bmi1.X64.AndNot(escaped, Block.EqualTo(low, high, (byte)'"'));
        ulong inString = PrefixXor(quote) ^ scan.InString;
        scan.InString = (ulong)((long)inString >> 63);
        Outside* outside = Scratch.OutsideOf(scratch) + scan.OutsideCount;
        outside->Quote = quote;
        outside->InString = inString;
        outside->Offset = offset;
        scan.OutsideCount += Bits.One(Bmi1.X64.AndNot(quote, inString) != ulong.MaxValue);
        nuint block = offset / BlockBytes;
        scratch->Escaped[block] = escaped;
        scratch->EscapesBefore[block] = (ushort)scan.EscapesCount;
        scratch->EscapedBlocks[scan.EscapedBlocksCount] = (ushort)offset;
        scan.EscapedBlocksCount += Bits.One(escaped != 0);
        scan.EscapesCount += Bits.Count(escaped);
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

    // Writes the entries of eight bytes of text, of which `bits` are some. Moves *count behind them.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AppendEight(
        byte* tables, Scratch* scratch, byte* text, nuint bits, Vector128<ushort> at, ref nuint count)
    {
        Vector128<byte> set = Block.Load8(Tables.SetBits(tables) + 8 * bits);
        Sse2.StoreScalar((ulong*)(scratch->Stream + count), Ssse3.Shuffle(Block.Load8(text), set).AsUInt64());
        Sse2.Store(scratch->Position + count, Sse2.Add(at, Sse41.ConvertToVector128Int16(set).AsUInt16()));
        count += Bits.Count(bits);
    }

    // Writes the entries of the block at `offset` behind `count` others, eight bytes of text a step. Returns how many
    // there are then.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint AppendBlock(
        byte* tables, Scratch* scratch, byte* text, nuint count, nuint offset, ulong entries)
    {
        Vector128<ushort> eight = Vector128.Create((ushort)8);
        Vector128<ushort> at = Vector128.Create((ushort)offset);
        AppendEight(tables, scratch, text, (byte)entries, at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 8, (byte)(entries >> 8), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 16, (byte)(entries >> 16), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 24, (byte)(entries >> 24), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 32, (byte)(entries >> 32), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 40, (byte)(entries >> 40), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 48, (byte)(entries >> 48), at, ref count);
        at = Sse2.Add(at, eight);
        AppendEight(tables, scratch, text + 56, (byte)(entries >> 56), at, ref count);
        return count;
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
            count = AppendBlock(tables, scratch, text + offset, count, offset, entries);
        }
        return count;
    }
}
