// KernelFields.cs: kernel_fields.h: one record of the vector kernels: from its entries in the index to its typed form.
// The same for all instruction sets: plain code over masks of 64 entries.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

/// <summary>Where a record's entries stand in the index: of each value the first one.</summary>
internal struct Layout
{
    /// <summary>Byte k: of key k, from the record's brace on.</summary>
    public ulong Values;

    public uint FlagsCount;

    /// <summary>Its closing brace.</summary>
    public uint End;

    /// <summary>The entry where the value of <paramref name="key"/> begins.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly nuint ValueOf(Key key) => (nuint)(Values >> 8 * (int)key) & 63;
}

/// <summary>The entries of one record as bits, by their kind.</summary>
internal ref struct EntryBits
{
    public ulong Quote;
    public ulong Colon;
    public ulong Comma;
    public ulong Number;

    // The flags' brackets and the closing brace.
    public uint Open;
    public uint Close;
    public uint End;
}

internal static unsafe class KernelFields<TKernel>
    where TKernel : struct, IKernel
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong ValueAt(Key key, uint entry) => (ulong)entry << 8 * (int)key;

    /// <summary>Whether the keys stand in the order of the contract, at the entries that the template names.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool MatchCanonical(Chunk* chunk, nuint first, ref Layout layout)
    {
        byte* tables = chunk->Tables;
        byte* stream = chunk->Scratch->Stream + first;
        ulong closing = TKernel.EqualBytes(stream, (byte)']') >> StreamTemplate.Flags;
        // The bracket closes at 1 without flags, at 3 · flags otherwise.
        uint distance = (uint)Bits.Lowest(closing);
        uint flags = (distance * 11) >> 5;
        if (flags > 8)
        {
            return false;
        }
        StreamTemplate* wanted = Tables.StreamTemplates(tables) + (nuint)flags;
        if ((TKernel.DifferingBytes(stream, wanted->Bytes) & wanted->Care) != 0)
        {
            return false;
        }
        uint message = StreamTemplate.Flags + distance + 2;
        layout.Values =
            ValueAt(Key.Id, StreamTemplate.Id + 3) | ValueAt(Key.Timestamp, StreamTemplate.Timestamp + 3) |
            ValueAt(Key.Source, StreamTemplate.Source + 3) | ValueAt(Key.Kind, StreamTemplate.Kind + 3) |
            ValueAt(Key.Value, StreamTemplate.Value + 3) | ValueAt(Key.Flags, StreamTemplate.Flags) |
            ValueAt(Key.Message, message + 3);
        layout.FlagsCount = flags;
        layout.End = message + 5;
        return MatchCanonicalKeys(chunk->Text + 1, chunk->Scratch->Position + first, message);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool MatchCanonicalKeys(byte* text, ushort* position, nuint message)
    {
        ulong id = Swar.Load(text + position[StreamTemplate.Id]) ^ 0x226469;
        ulong time = Swar.Load(text + position[StreamTemplate.Timestamp]) ^ 0x6D617473656D6974;
        ulong stamp = Swar.Load(text + position[StreamTemplate.Timestamp] + 8) ^ 0x2270;
        ulong source = Swar.Load(text + position[StreamTemplate.Source]) ^ 0x22656372756F73;
        ulong kind = Swar.Load(text + position[StreamTemplate.Kind]) ^ 0x22646E696B;
        ulong value = Swar.Load(text + position[StreamTemplate.Value]) ^ 0x2265756C6176;
        ulong flag = Swar.Load(text + position[StreamTemplate.FlagsKey]) ^ 0x227367616C66;
        ulong key = Swar.Load(text + position[message]) ^ 0x226567617373656D;
        return (id << 40 | time | stamp << 48 | source << 8 | kind << 24 | value << 16 | flag << 16 | key) == 0;
    }

    // Checks the grammar of a record with its keys in any order, all of it at once: what must stand before and behind each
    // colon. Values of flags are checked by their pattern.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool MatchGrammar(in EntryBits bits, ref Layout layout)
    {
        ulong all = Bits.Below(ulong.MaxValue, bits.End);
        ulong colon = bits.Colon & all;
        if (Bits.Count(colon) != Words.KeyCount || (colon & 7) != 0 || bits.Close <= bits.Open || bits.Close >= bits.End)
        {
            return false;
        }
        ulong quote = bits.Quote & all;
        ulong comma = bits.Comma & all;
        ulong number = bits.Number & all;
        ulong end = 1UL << (int)bits.End;
        ulong open = 1UL << (int)bits.Open;
        uint inner = bits.Close - bits.Open - 1;
        ulong inside = Bits.Below(ulong.MaxValue, inner) << 1 << (int)bits.Open;
        ulong flagQuotes = (0x00DB6DB6DB6DB6DBUL << 1 << (int)bits.Open) & inside;
        ulong value = colon << 1;
        ulong text = value & quote;
        ulong expectedQuotes = colon >> 2 | colon >> 1 | text | text << 1 | flagQuotes;
        ulong valueEnds = text << 2 | number << 1 | 1UL << (int)bits.Close << 1;
        ulong otherEnds = Bmi1.X64.AndNot(end, valueEnds);
        ulong expectedCommas = otherEnds | Bmi1.X64.AndNot(flagQuotes, inside);
        layout.FlagsCount = (inner + 1) / 3;
        layout.End = bits.End;
        ulong wrong = (quote ^ expectedQuotes) | (comma ^ expectedCommas) | ((colon >> 3) ^ (otherEnds | 1)) |
            (number ^ (value & number)) | (value ^ (text | number | open));
        // Nothing, or a flag's two quotes and a comma before each other one.
        const uint innerCounts = 0x924925;
        return wrong == 0 && (valueEnds & end) != 0 && inner <= 23 && (innerCounts >> (int)inner & 1) != 0;
    }

    // The slot of the word whose opening quote is entry `entry`, which may be written with escapes, or null.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WordSlot* FindEscapedWord(Chunk* chunk, WordTable* table, nuint entry)
    {
        ushort* position = chunk->Scratch->Position + entry;
        nuint from = (nuint)position[0] + 1;
        nuint end = position[1];
        // The longest word, each of its letters as \uXXXX.
        if (end <= chunk->EscapesFrom || end - from > Chunk.BlockBytes || end >= chunk->DirtyFrom)
        {
            return null;
        }
        byte* room = Scratch.RoomOf(chunk->Scratch)->Word;
        nuint bytes = TKernel.CopyText(chunk, from, end, room);
        Unsafe.InitBlockUnaligned(room + bytes, 0, (uint)(BatchRoom.WordBytes - bytes));
        room[bytes] = (byte)'"';
        WordSlot* slot = WordTable.Find(table, Swar.Load(room));
        // The text itself may hold quotes: id\"x is not id.
        bool isWhole = bytes < 16 && slot->TextMask == (1u << (int)(bytes + 1)) - 1;
        return TKernel.WordDiffers(slot, room) == 0 && isWhole ? slot : null;
    }

    // Finds the keys of a record, some of them written with escapes. False: one is unknown.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool FindEscapedKeys(Chunk* chunk, nuint first, ulong colon, ulong* valuesOut, uint* seenOut)
    {
        *seenOut = 0;
        *valuesOut = 0;
        WordTable* table = Tables.KeyTable(chunk->Tables);
        for (; colon != 0; colon = Bits.WithoutLowest(colon))
        {
            nuint at = Bits.Lowest(colon);
            byte* text = chunk->Text + chunk->Scratch->Position[first + at - 2] + 1;
            WordSlot* slot = WordTable.Find(table, Swar.Load(text));
            if (TKernel.WordDiffers(slot, text) != 0)
            {
                slot = FindEscapedWord(chunk, table, first + at - 2);
            }
            if (slot == null)
            {
                return false;
            }
            *seenOut |= 1u << slot->Code;
            *valuesOut |= ValueAt((Key)slot->Code, (uint)at + 1);
        }
        return true;
    }

    // Notes the key whose colon is the lowest of `colon`; adds to `unknown` what differs from it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void NoteKey(
        WordTable* table, byte* text, ushort* position, ref ulong colon, ref ulong values, ref uint seen,
        ref ulong unknown)
    {
        nuint at = Bits.Lowest(colon);
        colon = Bits.WithoutLowest(colon);
        ulong word = Swar.Load(text + position[at - 2]);
        WordSlot* slot = WordTable.Find(table, word);
        unknown |= (word ^ slot->Low) & slot->LowMask;
        int code = slot->Code;
        seen |= 1u << code;
        values |= (ulong)(at + 1) << 8 * code;
    }

    // Finds the keys of a record that MatchGrammar() has accepted.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool MatchKeys(Chunk* chunk, nuint first, ulong colons, in EntryBits bits, ref Layout layout)
    {
        ushort* position = chunk->Scratch->Position + first;
        byte* text = chunk->Text + 1;
        WordTable* table = Tables.KeyTable(chunk->Tables);
        uint seen = 0;
        ulong values = 0;
        ulong unknown = 0;
        ulong colon = colons;
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        NoteKey(table, text, position, ref colon, ref values, ref seen, ref unknown);
        layout.Values = values;
        // The one key that is longer than a word.
        nuint timestamp = layout.ValueOf(Key.Timestamp); // 0: there is none
        timestamp = timestamp < 3 ? 3 : timestamp;
        uint tail = Unsafe.ReadUnaligned<ushort>(text + position[timestamp - 3] + 8);
        unknown |= tail ^ ('p' | '"' << 8);
        if (unknown != 0)
        {
            BatchRoom* room = Scratch.RoomOf(chunk->Scratch);
            if (!FindEscapedKeys(chunk, first, colons, &room->Values, &room->Seen))
            {
                return false;
            }
            layout.Values = room->Values;
            seen = room->Seen;
        }
        ulong numbers = 1UL << (int)layout.ValueOf(Key.Id) | 1UL << (int)layout.ValueOf(Key.Timestamp) |
            1UL << (int)layout.ValueOf(Key.Value);
        ulong texts = 1UL << (int)layout.ValueOf(Key.Source) | 1UL << (int)layout.ValueOf(Key.Kind) |
            1UL << (int)layout.ValueOf(Key.Message);
        return seen == (1u << Words.KeyCount) - 1 &&
            (Bmi1.X64.AndNot(bits.Number, numbers) | Bmi1.X64.AndNot(bits.Quote, texts)) == 0 &&
            layout.ValueOf(Key.Flags) == bits.Open;
    }

    /// <summary>
    /// A record whose keys may stand in any order. A method of its own, as those for numbers: all in one, nearly every value
    /// lived in memory.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static bool MatchAnyOrder(Chunk* chunk, nuint first, Layout* layoutOut)
    {
        Layout layout = default;
        byte* stream = chunk->Scratch->Stream + first;
        EntryBits bits = default;
        bits.Quote = TKernel.EqualBytes(stream, (byte)'"');
        bits.Colon = TKernel.EqualBytes(stream, (byte)':');
        bits.Comma = TKernel.EqualBytes(stream, (byte)',');
        ulong closing = TKernel.EqualBytes(stream, (byte)'}');
        ulong open = TKernel.EqualBytes(stream, (byte)'[');
        ulong close = TKernel.EqualBytes(stream, (byte)']');
        ulong brace = TKernel.EqualBytes(stream, (byte)'{');
        if (closing == 0 || open == 0 || close == 0 || (brace & 1) == 0)
        {
            return false;
        }
        bits.End = (uint)Bits.Lowest(closing);
        bits.Open = (uint)Bits.Lowest(open);
        bits.Close = (uint)Bits.Lowest(close);
        bits.Number = ~(bits.Quote | bits.Colon | bits.Comma | closing | open | close | brace);
        // One bracket of each kind, one brace, up to the end.
        ulong all = Bits.Below(ulong.MaxValue, bits.End);
        if ((((open & all) ^ 1UL << (int)bits.Open) | ((close & all) ^ 1UL << (int)bits.Close) |
            ((brace & all) ^ 1)) != 0)
        {
            return false;
        }
        if (!MatchGrammar(bits, ref layout) || !MatchKeys(chunk, first, bits.Colon & all, bits, ref layout))
        {
            return false;
        }
        *layoutOut = layout;
        return true;
    }

    // Only white space may be left out: a control character belongs to the token, and spoils it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Token NumberAt(byte* text, ushort* position)
    {
        byte* end = text + position[1];
        while (end[-1] <= ' ' && Reader.IsSpace(end[-1]))
        {
            end--;
        }
        return new Token(text + position[0], end);
    }

    // Reads the numbers of the record whose brace is the first of `position`.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadNumbers(Chunk* chunk, ushort* position, ulong values, Record* head)
    {
        byte* text = chunk->Text;
        Layout layout = new() { Values = values };
        return TKernel.ReadNumbers(
            chunk->Tables, NumberAt(text, position + layout.ValueOf(Key.Id)),
            NumberAt(text, position + layout.ValueOf(Key.Timestamp)),
            NumberAt(text, position + layout.ValueOf(Key.Value)), text + chunk->Bytes, head);
    }

    // Reads the flag whose opening quote is entry 3 · i, where i < count; else nothing comes of it, for nothing may depend
    // on a count that cannot be foreseen.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void ReadFlag(
        WordTable* table, byte* text, ushort* position, uint i, uint count, ref uint flags, ref uint wrong)
    {
        byte* at = text + position[3 * i] + 1;
        WordSlot* slot = WordTable.Find(table, Swar.Load(at));
        uint counts = (uint)((int)(i - count) >> 31);
        uint bit = (counts & 1) << slot->Code;
        wrong |= (TKernel.WordDiffers(slot, at) & counts) | (flags & bit);
        flags |= bit;
    }

    // Reads flags of which some may be written with escapes.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadEscapedFlags(Chunk* chunk, nuint entry, uint count, byte* flagsOut)
    {
        WordTable* table = Tables.FlagTable(chunk->Tables);
        *flagsOut = 0;
        for (uint i = 0; i < count; i++)
        {
            uint flag = 0;
            uint wrong = 0;
            ReadFlag(table, chunk->Text, chunk->Scratch->Position + entry + 3 * i, 0, 1, ref flag, ref wrong);
            if (wrong != 0)
            {
                WordSlot* slot = FindEscapedWord(chunk, table, entry + 3 * i);
                if (slot == null)
                {
                    return false;
                }
                flag = 1u << slot->Code;
            }
            if ((*flagsOut & flag) != 0)
            {
                return false;
            }
            *flagsOut |= (byte)flag;
        }
        return true;
    }

    // Reads `count` flags whose opening quotes stand at every third entry from `entry` on. Always two, four or eight of
    // them are looked at.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool ReadFlags(Chunk* chunk, nuint entry, uint count, byte* flagsOut)
    {
        WordTable* table = Tables.FlagTable(chunk->Tables);
        byte* text = chunk->Text;
        ushort* position = chunk->Scratch->Position + entry;
        uint flags = 0;
        uint wrong = 0;
        ReadFlag(table, text, position, 0, count, ref flags, ref wrong);
        ReadFlag(table, text, position, 1, count, ref flags, ref wrong);
        if (count > 2)
        {
            ReadFlag(table, text, position, 2, count, ref flags, ref wrong);
            ReadFlag(table, text, position, 3, count, ref flags, ref wrong);
            if (count > 4)
            {
                for (uint i = 4; i < 8; i++)
                {
                    ReadFlag(table, text, position, i, count, ref flags, ref wrong);
                }
            }
        }
        *flagsOut = (byte)flags;
        return wrong == 0 || ReadEscapedFlags(chunk, entry, count, flagsOut);
    }

    /// <summary>
    /// Reads the record whose brace is entry <paramref name="first"/> and writes it to <paramref name="place"/>. False: not
    /// read, the specification must look at it. Needs 64 more entries, of whatever content.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool ReadFields(Chunk* chunk, nuint first, in Layout layout, byte* place)
    {
        byte* tables = chunk->Tables;
        byte* start = chunk->Text;
        ushort* position = chunk->Scratch->Position + first;
        Record* head = (Record*)place;
        if (!ReadNumbers(chunk, position, layout.Values, head))
        {
            return false;
        }
        ulong kind = Swar.Load(start + position[layout.ValueOf(Key.Kind)] + 1);
        WordSlot* slot = WordTable.Find(Tables.KindTable(tables), kind);
        if (!WordSlot.IsWord(slot, kind))
        {
            slot = FindEscapedWord(chunk, Tables.KindTable(tables), first + layout.ValueOf(Key.Kind));
            if (slot == null)
            {
                return false;
            }
        }
        head->Kind = slot->Code;
        if (!ReadFlags(chunk, first + layout.ValueOf(Key.Flags) + 1, layout.FlagsCount, &head->Flags))
        {
            return false;
        }
        ushort* source = position + layout.ValueOf(Key.Source);
        ushort* message = position + layout.ValueOf(Key.Message);
        byte* text = place + Contract.RecordHeadBytes;
        nuint sourceBytes = TKernel.CopyText(chunk, (nuint)source[0] + 1, source[1], text);
        if (sourceBytes - 1 >= Contract.SourceBytesMax)
        {
            return false;
        }
        nuint messageBytes = TKernel.CopyText(chunk, (nuint)message[0] + 1, message[1], text + sourceBytes);
        head->SourceBytes = (ushort)sourceBytes;
        head->MessageBytes = (uint)messageBytes;
        return messageBytes <= Contract.MessageBytesMax;
    }
}
