// Direct.cs: avx2/direct.h: the guess path of the AVX2 kernel: a record of plain ASCII in canonical order is read without
// an index.
//
// May only accept what the other paths accept, with equal values: commas only say where something should stand; every byte
// of the record is then compared, a digit, or a text's.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>
/// Where the commas in front of the keys should stand, from the record's brace on; in front of the message also that
/// between two flags.
/// </summary>
internal ref struct Commas
{
    public nuint Timestamp;
    public nuint Source;
    public nuint Kind;
    public nuint Value;
    public nuint Flags;

    /// <summary>Or the message's.</summary>
    public nuint BehindFlag;

    public nuint Message;
}

internal static unsafe class Direct
{
    // The message's quote stands at or before this one, so that 64 bytes may be loaded from there.
    private const uint MessageMax = Chunk.DirectBytes - 64;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void FindCommas(byte* tables, byte* at, nuint colonBlanks, nuint blanks, ref Commas commas)
    {
        // With an id of at most fifteen digits the source's comma stands before `from`, and with one and a source that have
        // five bytes together the kind's at or behind it.
        nuint from = 51 + colonBlanks + blanks;
        Vector256<byte> first = Avx2.CompareEqual(Block.Load32(at), Block.AllOf(tables, AllBytes.Commas));
        ulong second = Block.EqualToAll(tables, at, from, AllBytes.Commas);
        ulong third = Block.EqualToAll(tables, at, from + 64, AllBytes.Commas);
        commas.Timestamp = Bits.Lowest(Block.TopBits(first));
        // Sixteen digits: the microseconds of the years 2001 to 2286.
        commas.Source = commas.Timestamp + 29 + blanks;
        commas.Kind = from + Bits.Lowest(second);
        nuint value = Bits.Lowest(Bits.WithoutLowest(second));
        commas.Value = from + value;
        // 64 bytes from the value's comma on.
        ulong bits = second >> (int)value | third << 1 << (int)~value;
        bits = Bits.WithoutLowest(bits);
        commas.Flags = commas.Value + Bits.Lowest(bits);
        bits = Bits.WithoutLowest(bits);
        commas.BehindFlag = commas.Value + Bits.Lowest(bits);
        nuint message = commas.Value + Bits.Lowest(Bits.WithoutLowest(bits));
        nuint secondFlag = (nuint)Bits.Mask(at[commas.BehindFlag - 1] != ']');
        commas.Message = commas.BehindFlag + ((message - commas.BehindFlag) & secondFlag);
    }

    // Where the closing brace is guessed to stand: known before anything else is, so that the next record need not wait for
    // this one.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint GuessEnd(byte* tables, byte* at)
    {
        ulong third = Block.EqualToAll(tables, at, 128, AllBytes.Braces);
        if (third != 0)
        {
            return 128 + Bits.Lowest(third);
        }
        ulong fourth = Block.EqualToAll(tables, at, 192, AllBytes.Braces);
        // Without one: a place where no message ends.
        return fourth == 0 ? 1 : 192 + Bits.Lowest(fourth);
    }

    // Not zero in the bytes of two lanes that are not as the literal says.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> Differ(Vector256<byte> v, RecordStyle* style, uint lane) => Avx2.And(
        Avx2.Xor(v, Block.Load32(style->Literals + 16 * lane)), Block.Load32(style->CareBytes + 16 * lane));

    // What stands between the values, sixteen bytes a piece.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool MatchLiterals(byte* at, in Commas commas, RecordStyle* style)
    {
        Vector256<byte> a = Block.TwoLanes(at, at + commas.Timestamp);
        Vector256<byte> b = Block.TwoLanes(at + commas.Source, at + commas.Kind - 1);
        Vector256<byte> c = Block.TwoLanes(at + commas.Value - 1, at + commas.Flags);
        Vector256<byte> d = Block.Load16(at + commas.Message - 1).ToVector256Unsafe();
        return Block.IsZero(Avx2.Or(
            Avx2.Or(Differ(a, style, 0), Differ(b, style, 2)), Avx2.Or(Differ(c, style, 4), Differ(d, style, 6))));
    }

    // Bytes that may not stand in a plain text: backslashes, quotes, control characters and bytes >= 0x80. With one bit
    // turned the last three are, as signed numbers, those below '!'.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector256<byte> NotPlain(byte* tables, Vector256<byte> v)
    {
        Vector256<byte> turned = Avx2.Xor(v, Block.AllOf(tables, AllBytes.Twos));
        return Avx2.Or(
            Avx2.CompareGreaterThan(Block.AllOf(tables, AllBytes.Exclamations).AsSByte(), turned.AsSByte()).AsByte(),
            Avx2.CompareEqual(v, Block.AllOf(tables, AllBytes.Backslashes)));
    }

    // Copies the message at `from`, before `last`, when its end is not where it was guessed. Returns its bytes;
    // nuint.MaxValue: it does not end there.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static nuint CopyLongMessage(byte* tables, byte* from, byte* last, byte* output)
    {
        for (nuint bytes = 0; from + bytes + 32 <= last; bytes += 32)
        {
            Vector256<byte> v = Block.Load32(from + bytes);
            Block.Store32(output + bytes, v);
            uint bad = Block.TopBits(NotPlain(tables, v));
            if (bad != 0)
            {
                bytes += Bits.Lowest(bad);
                return from[bytes] == '"' && from[bytes + 1] == '}' ? bytes : nuint.MaxValue;
            }
        }
        return nuint.MaxValue;
    }

    // Copies the message at `from` up to its quote, which is guessed to stand at `guess`, to `output`. Returns the position
    // behind its brace, or null: it is not plain.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* CopyMessage(byte* tables, byte* from, byte* guess, byte* last, byte* output, Record* head, out nuint messageBytes)
    {
        messageBytes = (nuint)(guess - from);
        Vector256<byte> low = Block.Load32(from);
        Vector256<byte> high = Block.Load32(from + 32);
        Block.Store32(output, low);
        Block.Store32(output + 32, high);
        nuint bytes = Bits.Lowest(Block.JoinMasks(NotPlain(tables, low), NotPlain(tables, high)));
        head->MessageBytes = (uint)messageBytes;
        if (from + bytes == guess && *guess == '"')
        {
            return guess + 2;
        }
        bytes = CopyLongMessage(tables, from, last, output);
        head->MessageBytes = (uint)bytes;
        messageBytes = bytes;
        return bytes == nuint.MaxValue ? null : from + bytes + 2;
    }

    // Reads the flag behind the quote at `quote`. Returns the position behind its closing quote, or null. Adds it to the
    // flags.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static byte* ReadFlag(byte* tables, byte* quote, ref uint flagsIo)
    {
        WordSlot* slot = WordTable.Find(Tables.FlagTable(tables), Swar.Load(quote + 1));
        uint bit = 1u << slot->Code;
        if ((Compare.WordDiffers(slot, quote + 1) | (*quote ^ (uint)'"') | (flagsIo & bit)) != 0)
        {
            return null;
        }
        flagsIo |= bit;
        return quote + 1 + slot->Bytes;
    }

    // Reads up to two flags between the brackets. False: they are none.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadFlags(byte* tables, byte* open, byte* comma, byte* close, nuint commaBlanks, Record* head)
    {
        uint flags = 0;
        if (open != close)
        {
            byte* behind = ReadFlag(tables, open, ref flags);
            if (comma < close)
            {
                if (behind != comma || (commaBlanks != 0 && comma[1] != ' '))
                {
                    return false;
                }
                behind = ReadFlag(tables, comma + 1 + commaBlanks, ref flags);
            }
            if (behind != close)
            {
                return false;
            }
        }
        head->Flags = (byte)flags;
        return true;
    }

    // Reads the kind, which ends right before the value's comma.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadKind(byte* tables, byte* kind, byte* valueComma, Record* head)
    {
        ulong word = Swar.Load(kind);
        WordSlot* slot = WordTable.Find(Tables.KindTable(tables), word);
        head->Kind = slot->Code;
        return WordSlot.IsWord(slot, word) && kind + slot->Bytes == valueComma;
    }

    /// <summary>As IKernel says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static byte* Read<TSpacing>(byte* tables, byte* at, byte* end, RecordStyle* style, ref byte* placeIo)
        where TSpacing : struct, ISpacing
    {
        byte* place = placeIo;
        style = TSpacing.Of(tables, style);
        nuint colonBlanks = TSpacing.ColonBlanks(style);
        nuint commaBlanks = TSpacing.CommaBlanks(style);
        nuint blanks = colonBlanks + commaBlanks;
        Commas commas = default;
        FindCommas(tables, at, colonBlanks, blanks, ref commas);
        byte* guess = at + GuessEnd(tables, at) - 1;
        if (commas.Message > MessageMax - 12 - blanks || !MatchLiterals(at, commas, style))
        {
            return null;
        }
        Record* head = (Record*)place;
        Vector256<byte> v = Block.Load32(at + commas.Source + 11 + blanks);
        Block.Store32(place + Contract.RecordHeadBytes, v);
        uint bad = Block.TopBits(NotPlain(tables, v));
        nuint sourceBytes = commas.Kind - commas.Source - 12 - blanks;
        head->SourceBytes = (ushort)sourceBytes;
        if (sourceBytes - 1 >= 32 || Bits.Lowest(bad) != sourceBytes)
        {
            return null;
        }
        byte* flagsComma = at + commas.Flags;
        if (!Numbers.ReadShort(
            tables, at, 6 + colonBlanks, at + commas.Timestamp, 13 + blanks, at + commas.Value, 9 + blanks, flagsComma,
            out Vector256<ulong> numbers, out nuint dot))
        {
            byte* rare = ReadRare<TSpacing>(tables, at, end, style, guess, place);
            placeIo = place + (rare == null ? 0 : Contract.RecordStride(head));
            return rare;
        }
        byte* behind = ReadRest<TSpacing>(tables, at, end, style, guess, commas, ref placeIo);
        Numbers.WriteShort(tables, numbers, dot, head);
        return behind;
    }

    // Reads kind, flags and message, behind the source.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* ReadRest<TSpacing>(
        byte* tables, byte* at, byte* end, RecordStyle* style, byte* guess, in Commas commas, ref byte* placeIo)
        where TSpacing : struct, ISpacing
    {
        nuint commaBlanks = TSpacing.CommaBlanks(style);
        nuint blanks = TSpacing.ColonBlanks(style) + commaBlanks;
        byte* place = placeIo;
        Record* head = (Record*)place;
        nuint sourceBytes = commas.Kind - commas.Source - 12 - blanks;
        if (!ReadKind(tables, at + commas.Kind + 9 + blanks, at + commas.Value, head) || !ReadFlags(
            tables, at + commas.Flags + 10 + blanks, at + commas.BehindFlag, at + commas.Message - 1, commaBlanks, head))
        {
            return null;
        }
        byte* behind = CopyMessage(
            tables, at + commas.Message + 12 + blanks, guess, at + Chunk.DirectBytes - 1,
            place + sourceBytes + Contract.RecordHeadBytes, head, out nuint messageBytes);
        // Null comes as the largest number.
        if ((ulong)behind - 1 >= (ulong)end)
        {
            return null;
        }
        placeIo = (byte*)((ulong)(place + sourceBytes + messageBytes + Contract.RecordHeadBytes + 7) & ~7UL);
        return behind;
    }

    // Reads what follows the source of a record with numbers of another form. The commas are looked for anew, for what is
    // handed on from a method that usually is not called is kept in memory where it is.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* ReadRare<TSpacing>(
        byte* tables, byte* at, byte* end, RecordStyle* style, byte* guess, byte* place)
        where TSpacing : struct, ISpacing
    {
        nuint colonBlanks = TSpacing.ColonBlanks(style);
        nuint blanks = colonBlanks + TSpacing.CommaBlanks(style);
        Commas commas = default;
        FindCommas(tables, at, colonBlanks, blanks, ref commas);
        Token id = new(at + 6 + colonBlanks, at + commas.Timestamp);
        Token timestamp = new(at + commas.Timestamp + 13 + blanks, at + commas.Source);
        Token value = new(at + commas.Value + 9 + blanks, at + commas.Flags);
        if (!Numbers.Read(tables, id, timestamp, value, end, (Record*)place))
        {
            return null;
        }
        return ReadRest<TSpacing>(tables, at, end, style, guess, commas, ref place);
    }
}
