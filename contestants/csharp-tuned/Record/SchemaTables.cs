// SchemaTables.cs: the schema of a record as the vector kernels look at it; schema_tables.h, gen_schema_tables.c.
using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>A word of a perfect hash with its closing quote: struct mr_word_slot.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct WordSlot
{
    public byte Code;
    public byte Bytes;
    public ulong Low;
    public ulong LowMask;
    public ushort TextMask;
    public fixed byte Text[16];

    /// <summary>Whether the first eight bytes of <paramref name="slot"/>'s word are those of <paramref name="word"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWord(WordSlot* slot, ulong word) => ((word ^ slot->Low) & slot->LowMask) == 0;
}

/// <summary>
/// A perfect hash over one closed set of words: slot = (first four bytes &amp; PrefixMask) · Multiplier >> 29. A free
/// slot matches no valid text. struct mr_word_table.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct WordTable
{
    public uint PrefixMask;
    public uint Multiplier;
    private fixed ulong slots[8 * 6]; // reached by SlotsOf() alone

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordSlot* SlotsOf(WordTable* table) => (WordSlot*)((ulong*)table + 1); // no check for null

    /// <summary>The slot where <paramref name="word"/>, eight bytes of text, would be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static WordSlot* Find(WordTable* table, ulong word) =>
        At(table, ((uint)word & table->PrefixMask) * table->Multiplier >> 29);

    // 48 bytes a slot, by an addition and a shift.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static WordSlot* At(WordTable* table, nuint index) =>
        (WordSlot*)((byte*)table + 8 + ((index + 2 * index) << 4));
}

/// <summary>
/// The structural stream of a record in the contract's order, numbers by their start (not compared);
/// struct mr_stream_template.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct StreamTemplate
{
    public const int StreamBytes = 64;

    // Where the entries of a record in that order stand: the opening quote of each key, which the closing one, the
    // colon and the value follow. The flags' opening bracket is Flags.
    public const int Id = 1;
    public const int Timestamp = 6;
    public const int Source = 11;
    public const int Kind = 17;
    public const int Value = 23;
    public const int FlagsKey = 28;
    public const int Flags = 31;

    public fixed byte Bytes[StreamBytes];

    /// <summary>Bit i: Bytes[i] counts.</summary>
    public ulong Care;
}

/// <summary>
/// How a record in that order is spaced, with or without a blank behind each colon and each comma: what stands
/// between its values, in seven lanes of sixteen bytes; struct mr_record_style.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct RecordStyle
{
    /// <summary>First to fourth lane, fifth to seventh.</summary>
    public fixed byte Literals[128];

    /// <summary>Bit i: byte i counts; one word for each half.</summary>
    public fixed ulong Care[2];

    /// <summary>The same as bytes.</summary>
    public fixed byte CareBytes[128];

    public byte ColonBlanks;
    public byte CommaBlanks;
}

/// <summary>
/// What stands in front of a value: its key from the opening quote on, the colon, a blank or none, and the quote or bracket
/// that opens the value. Found by the last two letters of the key: slot = (these as a little-endian number) · multiplier
/// >> 29. struct mr_key_literal.
/// </summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct KeyLiteral
{
    /// <summary>Without a blank so many, then with one.</summary>
    public const int Slots = 8;

    /// <summary>Right-aligned; at the struct's begin.</summary>
    public fixed byte Text[16];

    /// <summary>0xFF: the byte counts.</summary>
    public fixed byte CareBytes[16];

    /// <summary>Of Key; Words.KeyCount: a free slot, which matches no text.</summary>
    public byte Code;

    /// <summary>The key without its quotes.</summary>
    public byte KeyBytes;

    /// <summary>From the key's closing quote on.</summary>
    public byte TailBytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static KeyLiteral* At(KeyLiteral* keys, nuint slot) => keys + slot;
}

/// <summary>Rows of 32 equal bytes that vectors are compared with.</summary>
internal enum AllBytes
{
    Twos,
    Backslashes,
    Exclamations,
    Commas,
    Braces,
    Dots,
    Zeros,
    Nines,
}

internal static unsafe class SchemaTables
{
    private const int Slots = 8;

    private static readonly string[] Patterns =
    [
        "{\"id\":_", ",^\"timestamp\":_", ",^\"source\":_\"", "\",^\"kind\":_\"", "\",^\"value\":_", ",^\"flags\":_[",
        "],^\"message\":_\"", "",
    ];

    // What opens each key's value.
    private static readonly string[] Openings = ["", "", "\"", "\"", "", "[", "\""];

    /// <summary>Fills the tables of this file, zeros before.</summary>
    public static void Fill(byte* tables)
    {
        FillWords(Tables.KeyTable(tables), Words.Keys);
        FillWords(Tables.KindTable(tables), Words.Kinds);
        FillWords(Tables.FlagTable(tables), Words.Flags);
        for (int flags = 0; flags <= 8; flags++)
        {
            FillTemplate(Tables.StreamTemplates(tables) + flags, flags);
        }
        for (int style = 0; style < 4; style++)
        {
            FillStyle(Tables.RecordStyles(tables) + style, (style & 1) != 0, (style & 2) != 0);
        }
        uint multiplier = FindLiteralsMultiplier();
        *Tables.KeyLiteralsMultiplier(tables) = multiplier;
        FillLiterals(Tables.KeyLiterals(tables), multiplier, blank: false);
        FillLiterals(Tables.KeyLiterals(tables) + KeyLiteral.Slots, multiplier, blank: true);
        ReadOnlySpan<byte> repeated = [2, (byte)'\\', (byte)'!', (byte)',', (byte)'}', (byte)'.', (byte)'0', 9];
        for (int row = 0; row < repeated.Length; row++)
        {
            Unsafe.InitBlock(Tables.All(tables, (AllBytes)row), repeated[row], 32);
        }
    }

    private static uint LastLetters(string key) => key[^2] | (uint)key[^1] << 8;

    // A multiplier under which no two keys share a slot by their last two letters.
    private static uint FindLiteralsMultiplier()
    {
        for (uint multiplier = 1; ; multiplier += 2)
        {
            uint used = 0;
            foreach (string key in Words.Keys)
            {
                used |= 1u << (int)(LastLetters(key) * multiplier >> 29);
            }
            if (BitOperations.PopCount(used) == Words.KeyCount)
            {
                return multiplier;
            }
            if (multiplier == uint.MaxValue)
            {
                throw new InvalidOperationException("No perfect hash for the keys' last letters.");
            }
        }
    }

    private static void FillLiteral(KeyLiteral* literal, int code, bool blank)
    {
        string key = Words.Keys[code];
        string text = $"\"{key}\":{(blank ? " " : "")}{Openings[code]}";
        *literal = new KeyLiteral
        {
            Code = (byte)code, KeyBytes = (byte)key.Length, TailBytes = (byte)(text.Length - 1 - key.Length),
        };
        // In front of the literal stand the bytes of none, which do not count.
        Unsafe.InitBlock(literal->Text, 0xFF, 16);
        for (int i = 0; i < text.Length; i++)
        {
            literal->Text[16 - text.Length + i] = (byte)text[i];
            literal->CareBytes[16 - text.Length + i] = 0xFF;
        }
    }

    private static void FillLiterals(KeyLiteral* literals, uint multiplier, bool blank)
    {
        for (int slot = 0; slot < KeyLiteral.Slots; slot++)
        {
            // A free slot: a byte that cannot stand where the key's closing quote does.
            KeyLiteral* free = literals + slot;
            *free = new KeyLiteral { Code = Words.KeyCount, TailBytes = 1 };
            Unsafe.InitBlock(free->Text, 0xFF, 16);
            Unsafe.InitBlock(free->CareBytes, 0xFF, 16);
        }
        for (int code = 0; code < Words.KeyCount; code++)
        {
            FillLiteral(literals + (LastLetters(Words.Keys[code]) * multiplier >> 29), code, blank);
        }
    }

    private static uint PrefixOf(string word)
    {
        uint prefix = 0;
        for (int i = 0; i < 4; i++)
        {
            uint letter = i < word.Length ? word[i] : i == word.Length ? '"' : 0u;
            prefix |= letter << 8 * i;
        }
        return prefix;
    }

    private static int SlotOf(string word, uint prefixMask, uint multiplier) =>
        (int)((PrefixOf(word) & prefixMask) * multiplier >> 29);

    // A multiplier under which no two of the words share a slot.
    private static uint FindMultiplier(string[] words, uint prefixMask)
    {
        for (uint multiplier = 1; ; multiplier += 2)
        {
            uint used = 0;
            foreach (string word in words)
            {
                used |= 1u << SlotOf(word, prefixMask, multiplier);
            }
            if (BitOperations.PopCount(used) == words.Length)
            {
                return multiplier;
            }
            if (multiplier == uint.MaxValue)
            {
                throw new InvalidOperationException("No perfect hash for these words.");
            }
        }
    }

    private static uint ShortestPrefix(string[] words)
    {
        int bytes = 4;
        foreach (string word in words)
        {
            bytes = Math.Min(bytes, word.Length + 1);
        }
        return bytes == 4 ? uint.MaxValue : (1u << 8 * bytes) - 1;
    }

    private static void FillWords(WordTable* table, string[] words)
    {
        uint prefixMask = ShortestPrefix(words);
        uint multiplier = FindMultiplier(words, prefixMask);
        table->PrefixMask = prefixMask;
        table->Multiplier = multiplier;
        for (int i = 0; i < Slots; i++)
        {
            // A free slot: a byte that no text has at that place in valid UTF-8.
            WordSlot* free = WordTable.SlotsOf(table) + i;
            *free = new WordSlot { Bytes = 1, Low = 0xFF, LowMask = ulong.MaxValue, TextMask = 1 };
            free->Text[0] = 0xFF;
        }
        for (int code = 0; code < words.Length; code++)
        {
            FillSlot(WordTable.SlotsOf(table) + SlotOf(words[code], prefixMask, multiplier), words[code], code);
        }
    }

    private static void FillSlot(WordSlot* slot, string word, int code)
    {
        int bytes = word.Length + 1;
        *slot = new WordSlot { Code = (byte)code, Bytes = (byte)bytes, TextMask = (ushort)((1u << bytes) - 1) };
        for (int i = 0; i < bytes; i++)
        {
            slot->Text[i] = (byte)(i < word.Length ? word[i] : '"');
        }
        slot->LowMask = bytes >= 8 ? ulong.MaxValue : (1UL << 8 * bytes) - 1;
        slot->Low = Swar.Load(slot->Text) & slot->LowMask;
    }

    private static void FillTemplate(StreamTemplate* template, int flags)
    {
        string stream = "{\"\":0,\"\":0,\"\":\"\",\"\":\"\",\"\":0,\"\":[";
        for (int i = 0; i < flags; i++)
        {
            stream += i == 0 ? "\"\"" : ",\"\"";
        }
        stream += "],\"\":\"\"}";
        for (int i = 0; i < stream.Length; i++)
        {
            template->Bytes[i] = (byte)stream[i];
            template->Care |= stream[i] != '0' ? 1UL << i : 0;
        }
    }

    // A literal has a blank for each underscore (behind a colon) and circumflex (behind a comma), or nothing.
    private static int PutLiteral(string pattern, bool colonBlank, bool commaBlank, byte* to)
    {
        int length = 0;
        foreach (char letter in pattern)
        {
            bool blank = letter is '_' or '^';
            if (!blank)
            {
                to[length++] = (byte)letter;
            }
            else if (letter == '_' ? colonBlank : commaBlank)
            {
                to[length++] = (byte)' ';
            }
        }
        return length;
    }

    private static void FillStyle(RecordStyle* style, bool colonBlank, bool commaBlank)
    {
        for (int lane = 0; lane < Patterns.Length; lane++)
        {
            int length = PutLiteral(Patterns[lane], colonBlank, commaBlank, style->Literals + 16 * lane);
            style->Care[lane / 4] |= ((1UL << length) - 1) << 16 * (lane % 4);
        }
        for (int i = 0; i < 128; i++)
        {
            style->CareBytes[i] = (byte)(style->Literals[i] == 0 ? 0 : 255);
        }
        style->ColonBlanks = (byte)(colonBlank ? 1 : 0);
        style->CommaBlanks = (byte)(commaBlank ? 1 : 0);
    }
}
