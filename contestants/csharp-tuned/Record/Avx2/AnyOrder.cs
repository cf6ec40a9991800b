// AnyOrder.cs: avx2/any_order.h: the second guess path of the AVX2 kernel: plain records with their keys in any order,
// spaced as the one before was, are read without an index.
//
// A quote with a colon behind it ends a key; seven of them name all places, for a value ends where the next key begins. None
// of this is believed: every byte of the record is then compared, a digit, or a text's, so that this accepts only what the
// other paths accept, with equal values.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

/// <summary>What the guess path over keys in any order keeps in memory: how records are spaced, and one record's places.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct AnyOrderRoom
{
    /// <summary>A comma and the white space before each key, right-aligned.</summary>
    public fixed byte Gap[16];

    /// <summary>Bytes of it that count.</summary>
    public fixed byte Care[16];

    /// <summary>The same for the first key, without the comma.</summary>
    public fixed byte CareFirst[16];

    /// <summary>Where keys end, from the first one's quote on.</summary>
    public fixed uint Ends[AnyOrder.KeysBytes / (int)Block.Bytes * AnyOrder.KeysABlock];

    /// <summary>Where the values stand, by key: [low half, high half) from the first key's quote on.</summary>
    public fixed ulong Ranges[Words.KeyCount + 1];

    /// <summary>White space of the gap.</summary>
    public nuint GapBytes;

    public KeyLiteral* Keys;

    /// <summary>The record's brace.</summary>
    public nuint Behind;

    /// <summary>The keys stand in the contract's order.</summary>
    public bool Ordered;
}

internal static unsafe class AnyOrder
{
    /// <summary>Keys must end in so many bytes from the first key on.</summary>
    internal const int KeysBytes = 256;

    /// <summary>In each 64 bytes of a record so many keys may end.</summary>
    internal const int KeysABlock = 5;

    /// <summary>From a record's brace on so many bytes must be left: it ends in them, or is not read.</summary>
    internal const int RecordBytes = KeysBytes + 192;

    // White space in front of a key that can be learned.
    private const uint GapMax = 15;

    /// <summary>Learns the spacing of the record whose brace stands there; what cannot be learned will not match.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void LearnSpacing(byte* tables, byte* brace, AnyOrderRoom* room)
    {
        nuint gap = 0;
        while (gap < GapMax && Reader.IsSpace(brace[1 + gap]))
        {
            gap++;
        }
        byte* key = brace + 1 + gap;
        Sse2.Store(room->Gap, Block.Load16(key - 16));
        room->Gap[GapMax - gap] = (byte)',';
        Vector128<byte> quotes = Sse2.CompareEqual(Block.Load16(key + 1), Vector128.Create((byte)'"'));
        nuint letters = Bits.Lowest((uint)Sse2.MoveMask(quotes)) & 15;
        byte* last = VectorTables.LastBytes(tables) + 16 + gap;
        Sse2.Store(room->Care, Block.Load16(last + 1));
        Sse2.Store(room->CareFirst, Block.Load16(last));
        room->GapBytes = gap;
        room->Keys = Tables.KeyLiterals(tables) + (key[1 + letters + 2] == ' ' ? KeyLiteral.Slots : 0);
    }

    // Lists where keys end, from the first one's quote on, those of the next record too. Returns how many there are; 0: too
    // many.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint ListKeys(byte* first, uint* ends)
    {
        nuint count = 0;
        for (uint block = 0; block < KeysBytes; block += Block.Bytes)
        {
            ulong bits = Block.EqualTo(first + block, (byte)'"') & Block.EqualTo(first + block + 1, (byte)':');
            nuint found = Bits.Count(bits);
            uint* next = ends + count;
            next[0] = block + (uint)Bits.Lowest(bits);
            bits = Bits.WithoutLowest(bits);
            next[1] = block + (uint)Bits.Lowest(bits);
            bits = Bits.WithoutLowest(bits);
            next[2] = block + (uint)Bits.Lowest(bits);
            bits = Bits.WithoutLowest(bits);
            next[3] = block + (uint)Bits.Lowest(bits);
            bits = Bits.WithoutLowest(bits);
            next[4] = block + (uint)Bits.Lowest(bits);
            if (Bits.WithoutLowest(bits) != 0)
            {
                return 0;
            }
            count += found;
            // Of most records the last block is not needed.
            if (block == 2 * Block.Bytes && count >= Words.KeyCount)
            {
                break;
            }
        }
        return count;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Token ValueToken(byte* first, ulong* ranges, Key key)
    {
        ulong range = ranges[(int)key];
        return new Token(first + (uint)range, first + (range >> 32));
    }

    // The first brace at or behind `begin`, from `first` on; 0: there is none near.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint FindBrace(byte* tables, byte* first, nuint begin)
    {
        for (nuint at = begin; at + Block.Bytes <= RecordBytes - 1 - GapMax; at += Block.Bytes)
        {
            ulong braces = Block.EqualToAll(tables, first, at, AllBytes.Braces);
            if (braces != 0)
            {
                return at + Bits.Lowest(braces);
            }
        }
        return 0;
    }

    // Finds the values of the record whose first key's quote is `first`. False: it is not so spaced, or not seven different
    // keys.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool FindValues(byte* tables, byte* first, AnyOrderRoom* room)
    {
        uint* ends = room->Ends;
        if (ListKeys(first, ends) < Words.KeyCount)
        {
            return false;
        }
        ulong* ranges = room->Ranges;
        KeyLiteral* keys = room->Keys;
        uint multiplier = *Tables.KeyLiteralsMultiplier(tables);
        nuint gapBytes = room->GapBytes;
        Vector128<byte> gap = Block.Load16(room->Gap);
        Vector128<byte> care = Block.Load16(room->CareFirst);
        Vector128<byte> wrong = Vector128<byte>.Zero;
        uint seen = 0;
        uint unordered = 0;
        nuint code = Words.KeyCount;
        nuint begin = 0;
        byte* start = first;
        for (nuint i = 0; i < Words.KeyCount; i++)
        {
            nuint end = ends[i];
            uint letters = *(ushort*)(first + end - 2);
            KeyLiteral* key = KeyLiteral.At(keys, letters * multiplier >> 29);
            start = first + end - key->KeyBytes - 1;
            // Something stands before the first key: seen with the bytes that are wrong.
            if (i == 0 && start != first)
            {
                return false;
            }
            ranges[code] = begin | (ulong)(start - first - (nint)gapBytes - 1) << 32;
            code = key->Code;
            begin = end + key->TailBytes;
            seen |= 1u << (int)code;
            unordered |= (uint)(code ^ i);
            Vector128<byte> literal = Sse2.And(
                Sse2.Xor(Block.Load16(first + begin - 16), Block.Load16((byte*)key)), Block.Load16((byte*)key + 16));
            Vector128<byte> before = Sse2.And(Sse2.Xor(Block.Load16(start - 16), gap), care);
            wrong = Sse2.Or(wrong, Sse2.Or(literal, before));
            care = Block.Load16(room->Care);
        }
        if (!Sse41.TestZ(wrong, wrong) || seen != (1u << Words.KeyCount) - 1)
        {
            return false;
        }
        nuint brace = FindBrace(tables, first, begin);
        if (brace == 0)
        {
            return false;
        }
        room->Behind = brace + 1;
        room->Ordered = unordered == 0;
        while (Reader.IsSpace(first[brace - 1]))
        {
            brace--;
        }
        ranges[code] = begin | (ulong)brace << 32;
        return true;
    }

    // Reads the flags between the brackets, the first of which stands before `at`, the second before `end`. False: they are
    // none.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadFlags(byte* tables, Token token, Record* head)
    {
        byte* close = token.End - 1;
        byte* at = token.At;
        uint flags = 0;
        if (at != close)
        {
            at = Direct.ReadFlag(tables, at, ref flags);
            while (at != null && at < close && *at == ',')
            {
                at = Direct.ReadFlag(tables, at + (at[1] == ' ' ? 2 : 1), ref flags);
            }
        }
        head->Flags = (byte)flags;
        return at == close && *close == ']';
    }

    // Copies a plain text that `token` holds with its closing quote. Returns its bytes; nuint.MaxValue: it is not plain.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint CopyPlainText(byte* tables, Token token, byte* output)
    {
        nuint bytes = (nuint)(token.End - token.At) - 1;
        for (nuint at = 0; at <= bytes; at += Block.Bytes)
        {
            Vector256<byte> low = Block.Load32(token.At + at);
            Vector256<byte> high = Block.Load32(token.At + at + 32);
            Block.Store32(output + at, low);
            Block.Store32(output + at + 32, high);
            ulong bad = Block.JoinMasks(Direct.NotPlain(tables, low), Direct.NotPlain(tables, high));
            if (bad != 0)
            {
                return at + Bits.Lowest(bad) == bytes && token.At[bytes] == '"' ? bytes : nuint.MaxValue;
            }
        }
        return nuint.MaxValue;
    }

    // Reads kind and flags into the head.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadWords(byte* tables, byte* first, ulong* ranges, Record* head)
    {
        Token kind = ValueToken(first, ranges, Key.Kind);
        ulong word = Swar.Load(kind.At);
        WordSlot* slot = WordTable.Find(Tables.KindTable(tables), word);
        head->Kind = slot->Code;
        return WordSlot.IsWord(slot, word) && kind.At + slot->Bytes == kind.End &&
            ReadFlags(tables, ValueToken(first, ranges, Key.Flags), head);
    }

    // Copies source and message behind the head.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool CopyTexts(byte* tables, byte* first, ulong* ranges, Record* head)
    {
        byte* text = (byte*)head + Contract.RecordHeadBytes;
        nuint source = CopyPlainText(tables, ValueToken(first, ranges, Key.Source), text);
        if (source - 1 >= Contract.SourceBytesMax)
        {
            return false;
        }
        nuint message = CopyPlainText(tables, ValueToken(first, ranges, Key.Message), text + source);
        head->SourceBytes = (ushort)source;
        head->MessageBytes = (uint)message;
        return message != nuint.MaxValue;
    }

    // As Numbers.ReadShort() and Numbers.WriteShort(), or the slow way.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadRareNumbers(byte* tables, byte* first, ulong* ranges, byte* end, Record* head) => Numbers.Read(
        tables, ValueToken(first, ranges, Key.Id), ValueToken(first, ranges, Key.Timestamp),
        ValueToken(first, ranges, Key.Value), end, head);

    /// <summary>As IKernel says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static byte* Read(byte* tables, byte* brace, byte* end, AnyOrderRoom* room, Record* head)
    {
        byte* first = brace + 1 + room->GapBytes;
        if (!FindValues(tables, first, room))
        {
            return null;
        }
        ulong* ranges = room->Ranges;
        Token id = ValueToken(first, ranges, Key.Id);
        Token timestamp = ValueToken(first, ranges, Key.Timestamp);
        Token value = ValueToken(first, ranges, Key.Value);
        bool isShort = Numbers.ReadShort(
            tables, id.At, 0, id.End, (nuint)(timestamp.At - id.End), value.At, 0, value.End,
            out Vector256<ulong> numbers, out nuint dot);
        if (!isShort || timestamp.Length != 16)
        {
            if (!ReadRareNumbers(tables, first, ranges, end, head))
            {
                return null;
            }
        }
        else
        {
            Numbers.WriteShort(tables, numbers, dot, head);
        }
        bool taken = ReadWords(tables, first, ranges, head) && CopyTexts(tables, first, ranges, head);
        return taken ? first + room->Behind : null;
    }
}
