// Escapes.cs: avx2/escapes.h: pass 2 of the AVX2 kernel: every escape of the chunk as what is written for it.
//
// There is no byte compress in AVX2, and squeezing eight bytes at a time by a table of shuffles costs more than going
// from escape to escape: the text between two of them is copied in one piece. So escapes become a list of what is written
// for each, in the order of the text.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>What is known of eight units.</summary>
internal readonly ref struct Units(
    Vector256<int> unit, Vector256<int> before, Vector256<int> high, Vector256<int> low)
{
    public readonly Vector256<int> Unit = unit;

    /// <summary>The unit in front of each.</summary>
    public readonly Vector256<int> Before = before;

    /// <summary>Lanes that are the high half of a pair.</summary>
    public readonly Vector256<int> High = high;

    public readonly Vector256<int> Low = low;
}

internal static unsafe class Escapes
{
    // Units do not overlap in accepted text. More than stand in a chunk then: there is a fault.
    private const uint UnitsMax = Scratch.ChunkBytes / 6 + 1;

    // So many letters of a block are always written.
    private const uint Letters = 8;

    // Where the letters of all escapes stand.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FindLetters(Scan* scan, Scratch* scratch)
    {
        ushort* output = scratch->EscapeAt;
        ushort* block = scratch->EscapedBlocks;
        ushort* last = block + scan->EscapedBlocksCount;
        for (; block < last; block++)
        {
            nuint offset = *block;
            ulong escaped = scratch->Escaped[offset / Chunk.BlockBytes];
            ushort* behind = output + Bits.Count(escaped);
            do
            {
                WriteLetters(output, offset, ref escaped);
                output += Letters;
            }
            while (output < behind);
            output = behind;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteLetters(ushort* output, nuint offset, ref ulong escaped)
    {
        WriteLetter(output, offset, ref escaped);
        WriteLetter(output + 1, offset, ref escaped);
        WriteLetter(output + 2, offset, ref escaped);
        WriteLetter(output + 3, offset, ref escaped);
        WriteLetter(output + 4, offset, ref escaped);
        WriteLetter(output + 5, offset, ref escaped);
        WriteLetter(output + 6, offset, ref escaped);
        WriteLetter(output + 7, offset, ref escaped);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteLetter(ushort* output, nuint offset, ref ulong escaped)
    {
        *output = (ushort)(offset + Bits.Lowest(escaped));
        escaped = Bits.WithoutLowest(escaped);
    }

    // Writes the list of escapes, units without their text, and the list of these. Returns their number.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint ListLetters(Scan* scan, Chunk* chunk)
    {
        Scratch* scratch = chunk->Scratch;
        ulong* escapeOf = VectorTables.EscapeOf(chunk->Tables);
        ulong* list = (ulong*)Scratch.EscapesOf(scratch);
        byte* text = chunk->Text;
        nuint count = scan->EscapesCount;
        nuint units = 0;
        for (nuint i = 0; i < count; i++)
        {
            nuint at = scratch->EscapeAt[i];
            ulong escape = escapeOf[text[at]];
            if (escape == 0)
            {
                scan->NoteDirty(at - Bits.One(at != 0));
            }
            escape |= (ulong)at << 32;
            list[i] = escape;
            scratch->UnitEscape[units] = (ushort)i;
            units += (nuint)(escape >> 63);
        }
        return units;
    }

    // Collects the digits of the units, and where they stand.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CollectDigits(Chunk* chunk, nuint units)
    {
        Scratch* scratch = chunk->Scratch;
        Escape* list = Scratch.EscapesOf(scratch);
        byte* text = chunk->Text;
        for (nuint i = 0; i < units; i++)
        {
            nuint at = list[(nuint)scratch->UnitEscape[i]].At;
            Unsafe.WriteUnaligned(scratch->Digits + 4 * i, Unsafe.ReadUnaligned<uint>(text + at + 1));
            scratch->UnitAt[i] = (ushort)at;
        }
    }

    // Eight units from their digits; `right`: lanes all of whose digits are some.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<int> ReadUnits(byte* digits, out Vector256<byte> right)
    {
        Vector256<byte> d = Block.Load32(digits);
        Vector256<byte> digit = Avx2.Subtract(d, Vector256.Create((byte)'0'));
        Vector256<byte> letter = Avx2.Subtract(
            Avx2.Or(d, Vector256.Create((byte)0x20)), Vector256.Create((byte)'a'));
        Vector256<byte> isDigit = Avx2.CompareEqual(Avx2.Min(digit, Vector256.Create((byte)9)), digit);
        Vector256<byte> isLetter = Avx2.CompareEqual(Avx2.Min(letter, Vector256.Create((byte)5)), letter);
        right = Avx2.Or(isDigit, isLetter);
        Vector256<byte> value = Avx2.BlendVariable(
            Avx2.Add(letter, Vector256.Create((byte)10)), digit, isDigit);
        value = Avx2.And(value, Vector256.Create((byte)0x0F));
        Vector256<short> pairs = Avx2.MultiplyAddAdjacent(value, Vector256.Create((short)0x0110).AsSByte());
        return Avx2.MultiplyAddAdjacent(pairs, Vector256.Create(0x00010100).AsInt16());
    }

    // The two or three bytes of each unit; of a pair the high half writes the first two of four, the low half the others.
    // What stands above them is of no account.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<int> UnitBytes(in Units units)
    {
        Vector256<int> six = Vector256.Create(0x3F);
        Vector256<int> unit = units.Unit;
        Vector256<int> middle = Avx2.And(Avx2.ShiftRightLogical(unit, 6), six);
        Vector256<int> last = Avx2.Or(Avx2.And(unit, six), Vector256.Create(0x80));
        Vector256<int> lastSecond = Avx2.ShiftLeftLogical(last, 8);
        Vector256<int> three = Avx2.Or(
            Avx2.Or(Avx2.ShiftRightLogical(unit, 12), Vector256.Create(0x80E0)),
            Avx2.Or(Avx2.ShiftLeftLogical(middle, 8), Avx2.ShiftLeftLogical(last, 16)));
        Vector256<int> two = Avx2.Or(
            Avx2.Or(Avx2.ShiftRightLogical(unit, 6), Vector256.Create(0xC0)), lastSecond);
        Vector256<int> bytes = Blend(two, three, Avx2.CompareGreaterThan(unit, Vector256.Create(0x7FF)));
        bytes = Blend(unit, bytes, Avx2.CompareGreaterThan(unit, Vector256.Create(0x7F)));
        Vector256<int> top = Avx2.Add(Avx2.And(unit, Vector256.Create(0x3FF)), Vector256.Create(0x40));
        Vector256<int> firstTwo = Avx2.Or(
            Avx2.Or(Avx2.ShiftRightLogical(top, 8), Vector256.Create(0x80F0)),
            Avx2.ShiftLeftLogical(Avx2.And(Avx2.ShiftRightLogical(top, 2), six), 8));
        Vector256<int> join = Avx2.Or(
            Avx2.ShiftLeftLogical(Avx2.And(units.Before, Vector256.Create(3)), 4),
            Avx2.And(middle, Vector256.Create(0xF)));
        Vector256<int> lastTwo = Avx2.Or(Avx2.Or(join, Vector256.Create(0x80)), lastSecond);
        return Blend(Blend(bytes, firstTwo, units.High), lastTwo, units.Low);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<int> Blend(Vector256<int> no, Vector256<int> yes, Vector256<int> mask) =>
        Avx2.BlendVariable(no.AsByte(), yes.AsByte(), mask.AsByte()).AsInt32();

    // Puts eight units to their escapes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void PlaceUnits(in Units units, Vector256<int> at, ushort* unitEscape, ulong* escapes)
    {
        // One byte, one more from 0x80 on, one more from 0x800 on except for halves of pairs.
        Vector256<int> more = Avx2.Add(
            Avx2.CompareGreaterThan(units.Unit, Vector256.Create(0x7F)),
            Avx2.AndNot(
                Avx2.Or(units.High, units.Low), Avx2.CompareGreaterThan(units.Unit, Vector256.Create(0x7FF))));
        Vector256<int> length = Avx2.Subtract(Vector256.Create(5 << 8 | 1), more);
        Vector256<int> upper = Avx2.Or(at, Avx2.ShiftLeftLogical(length, 16));
        Vector256<int> lower = UnitBytes(units);
        // Unpacking works within 128 bits.
        PlaceFour(Avx2.UnpackLow(lower, upper).AsDouble(), unitEscape, escapes);
        PlaceFour(Avx2.UnpackHigh(lower, upper).AsDouble(), unitEscape + 2, escapes);
    }

    // Puts four escapes, the first, second, fifth and sixth, to where `unitEscape` says.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void PlaceFour(Vector256<double> four, ushort* unitEscape, ulong* escapes)
    {
        Vector128<double> low = four.GetLower();
        Vector128<double> high = Avx.ExtractVector128(four, 1);
        Sse2.StoreScalar((double*)(escapes + (nuint)unitEscape[0]), low);
        Sse2.StoreHigh((double*)(escapes + (nuint)unitEscape[1]), low);
        Sse2.StoreScalar((double*)(escapes + (nuint)unitEscape[4]), high);
        Sse2.StoreHigh((double*)(escapes + (nuint)unitEscape[5]), high);
    }

    // Where the high halves of pairs were, the next unit must be a low half right behind it, and nowhere else may one be.
    // Bit i of the result: unit i breaks this.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint BrokenPairs(in Units units, Vector256<int> distance, uint there, ref uint behindHighIo)
    {
        Vector256<int> adjacent = Avx2.CompareEqual(distance, Vector256.Create(6));
        uint high = TopBits(units.High) & there;
        uint low = TopBits(units.Low) & there;
        uint near = TopBits(adjacent);
        uint behindHigh = high << 1 | behindHighIo;
        // Behind the last unit no low half comes.
        uint expected = behindHigh & (0xFF | (uint)((int)(there - 0xFF) >> 31 & ~0xFF));
        behindHighIo = behindHigh >> 8;
        return (expected ^ low) | (low & ~near);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint TopBits(Vector256<int> v) => (uint)Avx.MoveMask(v.AsSingle());

    // The lanes of `v`, one further, with the last one of `before` in front.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<int> ShiftLanes(Vector256<int> v, Vector256<int> before) =>
        Avx2.AlignRight(v, Avx2.Permute2x128(before, v, 0x21), 12);

    // Decodes the chunk's units into their escapes. nuint.MaxValue, or a position at or before the first one that cannot be
    // accepted, and not before the unit in front of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint DecodeUnits(nuint unitsCount, Scratch* scratch)
    {
        Vector256<int> upper = Vector256.Create(0xFC00);
        ulong* escapes = (ulong*)Scratch.EscapesOf(scratch);
        nuint fault = nuint.MaxValue;
        Vector256<int> previous = Vector256<int>.Zero;
        Vector256<int> previousAt = Vector256.Create(-64);
        uint behindHigh = 0;
        for (nuint i = 0; i < unitsCount; i += 8)
        {
            nuint left = unitsCount - i;
            uint there = left < 8 ? Bmi2.ZeroHighBits(0xFF, (uint)left) : 0xFF;
            Vector256<int> unit = ReadUnits(scratch->Digits + 4 * i, out Vector256<byte> right);
            Vector256<int> half = Avx2.And(unit, upper);
            Units units = new(
                unit, ShiftLanes(unit, previous), Avx2.CompareEqual(half, Vector256.Create(0xD800)),
                Avx2.CompareEqual(half, Vector256.Create(0xDC00)));
            Vector256<int> at = Avx2.ConvertToVector256Int32(scratch->UnitAt + i);
            Vector256<int> distance = Avx2.Subtract(at, ShiftLanes(at, previousAt));
            Vector256<int> allRight = Avx2.CompareEqual(right.AsInt32(), Vector256<int>.AllBitsSet);
            uint wrong = ~TopBits(allRight) & there;
            uint broken = BrokenPairs(units, distance, there, ref behindHigh) | wrong;
            if (broken != 0 && fault == nuint.MaxValue)
            {
                nuint first = i + Bits.Lowest(broken);
                fault = (nuint)scratch->UnitAt[first == 0 ? 0 : first - 1] - 1;
            }
            PlaceUnits(units, at, scratch->UnitEscape + i, escapes);
            previous = unit;
            previousAt = at;
        }
        // A high half that ends a full group was the last unit.
        if (behindHigh != 0 && fault == nuint.MaxValue)
        {
            fault = (nuint)scratch->UnitAt[unitsCount - 1] - 1;
        }
        return fault;
    }

    /// <summary>Pass 2.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Read(Scan* scan, Chunk* chunk)
    {
        Scratch* scratch = chunk->Scratch;
        FindLetters(scan, scratch);
        nuint units = ListLetters(scan, chunk);
        if (units > UnitsMax)
        {
            scan->NoteDirty(0);
            return;
        }
        // Lanes behind the last unit go to escapes behind the last one.
        for (nuint i = 0; i < 8; i++)
        {
            scratch->UnitEscape[units + i] = (ushort)(scan->EscapesCount + i);
        }
        if (units > 0)
        {
            CollectDigits(chunk, units);
            nuint fault = DecodeUnits(units, scratch);
            scan->NoteDirty(fault);
        }
    }
}
