// Words.cs: the closed sets of words of the contract: keys, kinds, flags; finding one in the text.
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>The seven keys of a record, in the order of docs/PROTOCOL.md, section 1.</summary>
internal enum Key
{
    Id,
    Timestamp,
    Source,
    Kind,
    Value,
    Flags,
    Message,
}

/// <summary>A word and the quote that closes it, filled up with zeros: struct mr_word.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Word
{
    public fixed byte Text[16];
    public ulong LowMask;
    public ulong HighMask;
    public ulong Bytes;
}

/// <summary>At most eight words. Bit i of StartingWith[b] says that word i begins with byte b.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct WordSet
{
    public fixed byte StartingWith[256];
    private fixed ulong words[5 * 8];

    // Addresses by arithmetic: of a field's the JIT first asks whether it is null.
    private const int WordsAt = 256;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Word* WordsOf(WordSet* set) => (Word*)((byte*)set + WordsAt);
}

internal static unsafe class Words
{
    public const int None = -1;
    public const int KeyCount = 7;

    public static readonly string[] Keys = ["id", "timestamp", "source", "kind", "value", "flags", "message"];
    public static readonly string[] Kinds = ["metric", "event", "log", "trace", "alert", "audit", "span", "state"];

    public static readonly string[] Flags =
        ["urgent", "sampled", "retry", "internal", "encrypted", "batched", "partial", "replayed"];

    /// <summary>Fills <paramref name="set"/> (zeros before) with <paramref name="words"/>.</summary>
    public static void Fill(WordSet* set, string[] words)
    {
        for (int i = 0; i < words.Length; i++)
        {
            Word* word = WordSet.WordsOf(set) + i;
            int bytes = words[i].Length + 1;
            for (int at = 0; at < bytes - 1; at++)
            {
                word->Text[at] = (byte)words[i][at];
            }
            word->Text[bytes - 1] = (byte)'"';
            word->LowMask = bytes >= 8 ? ulong.MaxValue : (1UL << 8 * bytes) - 1;
            word->HighMask = bytes <= 8 ? 0 : (1UL << 8 * (bytes % 8)) - 1;
            word->Bytes = (ulong)bytes;
            set->StartingWith[words[i][0]] |= (byte)(1 << i);
        }
    }

    /// <summary>
    /// The index of the word of <paramref name="set"/> that stands at <paramref name="at"/> with a quote right
    /// behind it, both before <paramref name="end"/>; None when none does. 16 bytes must be readable.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int At(WordSet* set, byte* at, byte* end)
    {
        if (at == end)
        {
            return None;
        }
        ulong room = (ulong)(end - at);
        for (uint left = ((byte*)set)[*at]; left != 0; left &= left - 1)
        {
            int index = BitOperations.TrailingZeroCount(left);
            Word* word = WordSet.WordsOf(set) + index;
            ulong low = (Swar.Load(at) ^ Swar.Load(word->Text)) & word->LowMask;
            ulong high = (Swar.Load(at + 8) ^ Swar.Load(word->Text + 8)) & word->HighMask;
            if ((low | high) == 0 && word->Bytes <= room)
            {
                return index;
            }
        }
        return None;
    }
}
