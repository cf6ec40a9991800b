// Escapes.cs: avx2/escapes.h: pass 2 of the AVX2 kernel: a copy of the blocks that escapes touch, the letters replaced where
// they stand, and which of its bytes stay.
//
// All of a block's letters are looked at together, whatever they are: going from escape to escape took five times as many
// instructions. Units (\uXXXX) come on a list of their own; what is written for one stands from its letter on.
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

    // So many units of a block are always listed.
    private const uint UnitsOfBlock = 4;

    // Bytes of ones where `bits` has ones.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> BytesOfBits(uint bits)
    {
        Vector256<byte> own = Vector256.Create(0x8040201008040201UL).AsByte();
        Vector256<byte> places = Vector256.Create(
            0, 0x0101010101010101UL, 0x0202020202020202UL, 0x0303030303030303UL).AsByte();
        Vector256<byte> spread = Avx2.Shuffle(
            Avx2.BroadcastScalarToVector256(Vector128.CreateScalarUnsafe(bits)).AsByte(), places);
        return Avx2.CompareEqual(Avx2.And(spread, own), own);
    }

    // Replaces the letters of `v` that are `escaped`. `wrongIo`: gets bytes that are no such letters.
    //
    // A letter's place in the tables is its lower half and a number by its upper half, so that no two share one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> ReplaceLetters(
        Vector256<byte> v, Vector256<byte> escaped, ref Vector256<byte> wrongIo)
    {
        Vector256<byte> shift = Vector256.Create(
            0, 0, 0, 0, 0, 1, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 7, 0, 0, 0, 0, 0, 0, 0, (byte)0);
        Vector256<byte> letter = Vector256.Create(
            (byte)'n', 0, (byte)'"', 0, (byte)'b', 0, 0, 0, (byte)'f', (byte)'r', 0, (byte)'t', (byte)'u', (byte)'\\', 0,
            (byte)'/', (byte)'n', 0, (byte)'"', 0, (byte)'b', 0, 0, 0, (byte)'f', (byte)'r', 0, (byte)'t', (byte)'u',
            (byte)'\\', 0, (byte)'/');
        Vector256<byte> text = Vector256.Create(
            (byte)'\n', 0, (byte)'"', 0, (byte)'\b', 0, 0, 0, (byte)'\f', (byte)'\r', 0, (byte)'\t', (byte)'u', (byte)'\\', 0,
            (byte)'/', (byte)'\n', 0, (byte)'"', 0, (byte)'\b', 0, 0, 0, (byte)'\f', (byte)'\r', 0, (byte)'\t', (byte)'u',
            (byte)'\\', 0, (byte)'/');
        Vector256<byte> half = Vector256.Create((byte)0x0F);
        Vector256<byte> upper = Avx2.And(Avx2.ShiftRightLogical(v.AsUInt16(), 4).AsByte(), half);
        Vector256<byte> place = Avx2.And(Avx2.Add(v, Avx2.Shuffle(shift, upper)), half);
        Vector256<byte> known = Avx2.CompareEqual(v, Avx2.Shuffle(letter, place));
        wrongIo = Avx2.Or(wrongIo, Avx2.AndNot(known, escaped));
        return Avx2.BlendVariable(v, Avx2.Shuffle(text, place), escaped);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteUnit(ushort* output, nuint offset, ref ulong units)
    {
        *output = (ushort)(offset + Bits.Lowest(units));
        units = Bits.WithoutLowest(units);
    }

    // Copies the listed blocks with their letters replaced, and lists where the units' letters stand. Returns the number of
    // units.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint CopyLetters(Scan* scan, Chunk* chunk)
    {
        Scratch* scratch = chunk->Scratch;
        byte* text = chunk->Text;
        byte* copy = scratch->Copy;
        ushort* output = scratch->UnitAt;
        ushort* block = scratch->EscapedBlocks;
        ushort* last = block + scan->EscapedBlocksCount;
        for (; block < last; block++)
        {
            nuint offset = *block;
            ulong escaped = scratch->Escaped[offset / Chunk.BlockBytes];
            Vector256<byte> low = Block.Load32(text + offset);
            Vector256<byte> high = Block.Load32(text + offset + 32);
            Vector256<byte> wrong = Vector256<byte>.Zero;
            Block.Store32(copy + offset, ReplaceLetters(low, BytesOfBits((uint)escaped), ref wrong));
            Block.Store32(copy + offset + 32, ReplaceLetters(high, BytesOfBits((uint)(escaped >> 32)), ref wrong));
            if (!Block.IsZero(wrong))
            {
                scan->NoteDirty(offset);
            }
            ulong units = Block.EqualTo(low, high, (byte)'u') & escaped;
            ushort* behind = output + Bits.Count(units);
            do
            {
                WriteUnit(output, offset, ref units);
                WriteUnit(output + 1, offset, ref units);
                WriteUnit(output + 2, offset, ref units);
                WriteUnit(output + 3, offset, ref units);
                output += UnitsOfBlock;
            }
            while (output < behind);
            output = behind;
        }
        return (nuint)(output - scratch->UnitAt);
    }

    // Collects the digits of the units.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CollectDigits(Chunk* chunk, nuint units)
    {
        Scratch* scratch = chunk->Scratch;
        byte* text = chunk->Text + 1;
        for (nuint i = 0; i < units; i++)
        {
            Unsafe.WriteUnaligned(
                scratch->Digits + 4 * i, Unsafe.ReadUnaligned<uint>(text + scratch->UnitAt[i]));
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

    // Puts eight units to their letters' places in the copy; what is left of their digits goes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void PlaceUnits(in Units units, ushort* unitAt, byte* copy, ulong* keep)
    {
        // One byte, one more from 0x80 on, one more from 0x800 on except for halves of pairs.
        Vector256<int> more = Avx2.Add(
            Avx2.CompareGreaterThan(units.Unit, Vector256.Create(0x7F)),
            Avx2.AndNot(
                Avx2.Or(units.High, units.Low), Avx2.CompareGreaterThan(units.Unit, Vector256.Create(0x7FF))));
        Vector256<int> length = Avx2.Subtract(Vector256.Create(1), more);
        // Of the letter and its four digits.
        Vector256<uint> drop = Avx2.And(
            Avx2.ShiftLeftLogicalVariable(Vector256.Create(0x1Fu), length.AsUInt32()), Vector256.Create(0x1Fu));
        Vector256<uint> text = UnitBytes(units).AsUInt32();
        PlaceFour(text.GetLower(), drop.GetLower(), unitAt, copy, keep);
        PlaceFour(Avx2.ExtractVector128(text, 1), Avx2.ExtractVector128(drop, 1), unitAt + 4, copy, keep);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void PlaceFour(
        Vector128<uint> text, Vector128<uint> drop, ushort* unitAt, byte* copy, ulong* keep)
    {
        PlaceUnit(text.ToScalar(), drop.ToScalar(), unitAt[0], copy, keep);
        PlaceUnit(text.GetElement(1), drop.GetElement(1), unitAt[1], copy, keep);
        PlaceUnit(text.GetElement(2), drop.GetElement(2), unitAt[2], copy, keep);
        PlaceUnit(text.GetElement(3), drop.GetElement(3), unitAt[3], copy, keep);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void PlaceUnit(uint text, ulong dropped, nuint at, byte* copy, ulong* keep)
    {
        Unsafe.WriteUnaligned(copy + at, text);
        ulong* word = keep + at / Chunk.BlockBytes;
        word[0] = Bmi1.X64.AndNot(dropped << (int)at, word[0]);
        word[1] = Bmi1.X64.AndNot(dropped >> 1 >> (int)~at, word[1]);
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

    // Decodes the chunk's units into the copy. nuint.MaxValue, or a position at or before the first one that cannot be
    // accepted, and not before the unit in front of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint DecodeUnits(nuint unitsCount, Scratch* scratch)
    {
        Vector256<int> upper = Vector256.Create(0xFC00);
        byte* copy = scratch->Copy;
        ulong* keep = scratch->Keep;
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
            PlaceUnits(units, scratch->UnitAt + i, copy, keep);
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
        nuint units = CopyLetters(scan, chunk);
        if (units > UnitsMax)
        {
            scan->NoteDirty(0);
            return;
        }
        if (units > 0)
        {
            CollectDigits(chunk, units);
            // Lanes behind the last unit write behind the chunk.
            for (nuint i = 0; i < 8; i++)
            {
                scratch->UnitAt[units + i] = Scratch.ChunkBytes + (int)Chunk.BlockBytes;
            }
            scan->NoteDirty(DecodeUnits(units, scratch));
        }
    }
}
