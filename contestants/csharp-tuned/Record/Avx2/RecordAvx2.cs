// RecordAvx2.cs: record_avx2.c: the kernel for processors with AVX2, BMI and PCLMUL; docs/PARSER.md tells how it works.
//
// Three passes over chunks of the text: Index.cs, Escapes.cs, then records from the index (KernelFields.cs);
// KernelBatch.cs drives them.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned.Avx2Kernel;

internal readonly unsafe struct RecordAvx2 : IKernel
{
    /// <summary>Whether this processor, as the runtime may use it, has the instructions.</summary>
    internal static bool IsSupported =>
        Avx2.IsSupported && Bmi1.X64.IsSupported && Bmi2.X64.IsSupported && Lzcnt.X64.IsSupported &&
        Popcnt.X64.IsSupported && Pclmulqdq.IsSupported;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong EqualBytes(byte* at, byte wanted) => Block.EqualTo(at, wanted);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong DifferingBytes(byte* at, byte* other) => Compare.DifferingBytes(at, other);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint WordDiffers(WordSlot* slot, byte* at) => Compare.WordDiffers(slot, at);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadNumbers(
        byte* tables, Token id, Token timestamp, Token value, byte* textEnd, Record* head) =>
        Numbers.Read(tables, id, timestamp, value, textEnd, head);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint CopyText(Chunk* chunk, nuint from, nuint end, byte* output) =>
        Strings.CopyText(chunk, from, end, output);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* ReadDirect<TSpacing>(byte* tables, byte* at, byte* end, RecordStyle* style, ref byte* place)
        where TSpacing : struct, ISpacing => Direct.Read<TSpacing>(tables, at, end, style, ref place);

    public static nuint AnyOrderBytes => AnyOrder.RecordBytes;

    public static void LearnSpacing(byte* tables, byte* brace, void* room) =>
        AnyOrder.LearnSpacing(tables, brace, (AnyOrderRoom*)room);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static byte* ReadAnyOrder(
        byte* tables, byte* brace, byte* end, void* room, Record* place, out bool orderedOut)
    {
        AnyOrderRoom* own = (AnyOrderRoom*)room;
        byte* behind = AnyOrder.Read(tables, brace, end, own, place);
        orderedOut = own->Ordered && own->GapBytes <= 1;
        return behind;
    }

    public static void BeginSums(void* sums) => Sums.Begin((Sums*)sums);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void AddSums(void* sums, byte** place, Totals* totals) => Sums.Add((Sums*)sums, place, totals);

    public static void EndSums(void* sums, SumsColumns* columns, Totals* totals) =>
        Sums.End((Sums*)sums, columns, totals);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void ScanChunk(Chunk* chunk, byte* text, nuint bytes, bool* denseIo)
    {
        _ = denseIo; // lists make it all one
        chunk->Text = text;
        chunk->Bytes = bytes;
        Scan scan = new() { DirtyFrom = nuint.MaxValue };
        byte* tail = Scratch.RoomOf(chunk->Scratch)->Tail;
        Index.IndexBlocks(&scan, chunk);
        if (bytes % Chunk.BlockBytes != 0)
        {
            Index.IndexTail(&scan, chunk, tail);
        }
        chunk->Count = Index.AppendEntries(&scan, chunk, tail + 32);
        Index.CheckUtf8(&scan, chunk);
        chunk->EscapesFrom = nuint.MaxValue;
        if (scan.EscapedBlocksCount != 0)
        {
            Escapes.Read(&scan, chunk);
            chunk->EscapesFrom = chunk->Scratch->EscapedBlocks[0];
        }
        chunk->DirtyFrom = scan.DirtyFrom;
        KernelBatch<RecordAvx2>.EndEntries(chunk);
    }

    /// <summary>As Kernel.Parse.</summary>
    internal static void Parse(
        ParserState* state, byte* json, nuint jsonBytes, byte* recordsOut, Result* resultOut, byte* tables) =>
        KernelBatch<RecordAvx2>.Parse(state, json, jsonBytes, recordsOut, resultOut, tables);
}
