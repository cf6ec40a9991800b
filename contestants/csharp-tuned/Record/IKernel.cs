// IKernel.cs: what each vector kernel has of its own. The rest is written once, over a type parameter that is a struct:
// the compiler makes it anew for each kernel, with these methods in line, as the C headers are compiled for each.
using System.Runtime.CompilerServices;

namespace MatchRace.Tuned;

internal unsafe interface IKernel
{
    /// <summary>Of the 64 bytes from <paramref name="at"/> on those that are <paramref name="wanted"/>.</summary>
    static abstract ulong EqualBytes(byte* at, byte wanted);

    /// <summary>Of the 64 bytes from <paramref name="at"/> on those that differ.</summary>
    static abstract ulong DifferingBytes(byte* at, byte* other);

    /// <summary>Not 0 where the word of <paramref name="slot"/> does not stand at <paramref name="at"/>.</summary>
    static abstract uint WordDiffers(WordSlot* slot, byte* at);

    /// <summary>The three numbers of a record into its head. False: something is no number of its kind.</summary>
    static abstract bool ReadNumbers(byte* tables, Token id, Token timestamp, Token value, byte* textEnd, Record* head);

    /// <summary>
    /// Copies the text [<paramref name="from"/>, <paramref name="end"/>) of the chunk to <paramref name="output"/>, escapes
    /// decoded. Returns its bytes there; up to 127 more are overwritten.
    /// </summary>
    static abstract nuint CopyText(Chunk* chunk, nuint from, nuint end, byte* output);

    /// <summary>
    /// Passes 1 and 2: makes the index of the chunk of <paramref name="bytes"/> bytes at <paramref name="text"/>.
    /// <paramref name="denseIo"/>: whether the chunk before was full of escapes, then this one; speed alone depends on it.
    /// </summary>
    static abstract void ScanChunk(Chunk* chunk, byte* text, nuint bytes, bool* denseIo);

    /// <summary>
    /// Reads a record of plain ASCII in canonical order and <paramref name="style"/> at <paramref name="at"/>, of which
    /// Chunk.DirectBytes may be looked at; it must end before <paramref name="end"/>. Null, or the position behind its
    /// brace; its typed form stands at <paramref name="place"/>. May only accept what the other way accepts, with equal
    /// values.
    /// </summary>
    static abstract byte* ReadDirect<TSpacing>(byte* tables, byte* at, byte* end, RecordStyle* style, ref byte* place)
        where TSpacing : struct, ISpacing;

    /// <summary>For ReadAnyOrder() so many bytes must be left from a record's brace on.</summary>
    static abstract nuint AnyOrderBytes { get; }

    /// <summary>
    /// Learns how the record is spaced whose brace stands at <paramref name="brace"/>; <paramref name="room"/>
    /// (BatchRoom.AnyOrderBytes bytes) keeps it.
    /// </summary>
    static abstract void LearnSpacing(byte* tables, byte* brace, void* room);

    /// <summary>
    /// Reads a plain record with its keys in any order, spaced as LearnSpacing() has seen it, at <paramref name="brace"/>; it
    /// must end before <paramref name="end"/>. Null, or the position behind its brace; its typed form is then at
    /// <paramref name="place"/>. May only accept what the other way accepts, with equal values.
    /// <paramref name="orderedOut"/>: its keys stand in the contract's order, with a blank or nothing before each.
    /// </summary>
    static abstract byte* ReadAnyOrder(
        byte* tables, byte* brace, byte* end, void* room, Record* place, out bool orderedOut);

    /// <summary>Empties the sums at <paramref name="sums"/> (BatchRoom.SumsBytes bytes, aligned to 64).</summary>
    static abstract void BeginSums(void* sums);

    /// <summary>
    /// What the records at eight places add to the totals. <paramref name="totals"/>, empty before, is complete only behind
    /// the end.
    /// </summary>
    static abstract void AddSums(void* sums, byte** place, Totals* totals);

    /// <summary>Ends the sums into the totals; <paramref name="columns"/> is room.</summary>
    static abstract void EndSums(void* sums, SumsColumns* columns, Totals* totals);
}

/// <summary>How records of a style are spaced, for the compiler: constants, or from the table.</summary>
internal unsafe interface ISpacing
{
    /// <summary>The style's own place, or one that the compiler knows.</summary>
    static abstract RecordStyle* Of(byte* tables, RecordStyle* style);

    static abstract nuint ColonBlanks(RecordStyle* style);

    static abstract nuint CommaBlanks(RecordStyle* style);
}

/// <summary>No blanks.</summary>
internal readonly unsafe struct Compact : ISpacing
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordStyle* Of(byte* tables, RecordStyle* style) => Tables.RecordStyles(tables);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint ColonBlanks(RecordStyle* style) => 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint CommaBlanks(RecordStyle* style) => 0;
}

/// <summary>As the table says.</summary>
internal readonly unsafe struct Spaced : ISpacing
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static RecordStyle* Of(byte* tables, RecordStyle* style) => style;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint ColonBlanks(RecordStyle* style) => style->ColonBlanks;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint CommaBlanks(RecordStyle* style) => style->CommaBlanks;
}
