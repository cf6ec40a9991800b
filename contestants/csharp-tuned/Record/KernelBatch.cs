// KernelBatch.cs: kernel_batch.h: how a vector kernel goes through a batch: straight over plain records, in chunks over
// the others; whatever these do not read, an odd record or a fault, the specification reads, so that the answers, reasons
// of rejections included, are its own.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace MatchRace.Tuned;

internal static unsafe class KernelBatch<TKernel>
    where TKernel : struct, IKernel
{
    // Digests wait for so many records: reading a head while it is being stored is slow.
    private const uint Group = 16;

    // Chunks behind an odd record are short, for the records after it may be plain again, and of the first one only that
    // record is read; they grow as long as none is.
    private const uint FirstChunkBytes = 1024;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong DigestOf(byte* place, ulong length, byte* secret)
    {
        if (length <= 96)
        {
            return Xxh3.HashShort(place, length, secret);
        }
        return Xxh3.Hash(place, length, secret);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DigestRecords(Batch* batch)
    {
        byte* secret = batch->Chunk.Tables + Tables.SecretAt;
        byte* place = batch->Records + batch->DigestedBytes;
        byte* end = batch->Records + batch->Result.UsedBytes;
        ulong sum = batch->Result.Digest;
        byte** list = (byte**)batch->Waiting;
        nuint waiting = batch->WaitingCount;
        while (place < end)
        {
            ulong length = Contract.RecordBytes((Record*)place);
            sum += DigestOf(place, length, secret);
            list[waiting++] = place;
            if (waiting == 8)
            {
                TKernel.AddSums(batch->Sums, list, batch->Totals);
                waiting = 0;
            }
            place += (length + 7) & ~7UL;
        }
        batch->WaitingCount = waiting;
        batch->Result.Digest = sum;
        batch->DigestedBytes = batch->Result.UsedBytes;
    }

    // Lets the specification read what comes next.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadStep(Batch* batch)
    {
        Step what = RecordScalar.ReadStep(&batch->Reader, &batch->Behind, batch->Records, &batch->Result);
        batch->Ended = what != Step.Record;
        if (what == Step.End)
        {
            RecordScalar.End(&batch->Reader, batch->Behind);
        }
    }

    // The first entry at or behind the position that has been read up to.
    private static nuint SkipEntries(Batch* batch, nuint entry)
    {
        nuint offset = (nuint)(batch->Behind - batch->Chunk.Text);
        while (entry < batch->Chunk.Count && batch->Chunk.Scratch->Position[entry] < offset)
        {
            entry++;
        }
        return entry;
    }

    // Reads one record and the comma before it, where the index has them whole. Returns the entry behind it; 0: the
    // specification must read it, or the chunk ends before it does.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nuint ReadRecord(Batch* batch, nuint first)
    {
        Chunk* chunk = &batch->Chunk;
        if (batch->Result.Records != 0)
        {
            if (chunk->Scratch->Stream[first] != ',')
            {
                return 0;
            }
            first++;
        }
        Layout layout = default;
        // Asking for the contract's order first does not pay behind records that had another; one alone says nothing of
        // those that follow.
        if (batch->Unordered >= 2 || !KernelFields<TKernel>.MatchCanonical(chunk, first, ref layout))
        {
            if (!KernelFields<TKernel>.MatchAnyOrder(chunk, first, &batch->Layout))
            {
                return 0;
            }
            layout = batch->Layout;
        }
        ulong both = KernelFields<TKernel>.ValueAt(Key.Id, 0xFF) | KernelFields<TKernel>.ValueAt(Key.Timestamp, 0xFF);
        bool unordered = (layout.Values & both) !=
            (KernelFields<TKernel>.ValueAt(Key.Id, StreamTemplate.Id + 3) |
             KernelFields<TKernel>.ValueAt(Key.Timestamp, StreamTemplate.Timestamp + 3));
        batch->Unordered = (batch->Unordered + 1) & (uint)Bits.Mask(unordered);
        nuint end = chunk->Scratch->Position[first + layout.End];
        if (end >= chunk->DirtyFrom || batch->Result.Records == Contract.BatchRecordsMax)
        {
            return 0;
        }
        byte* place = batch->Records + batch->Result.UsedBytes;
        if (!KernelFields<TKernel>.ReadFields(chunk, first, layout, place))
        {
            return 0;
        }
        AddRecord(batch, place, chunk->Text + end + 1);
        return first + layout.End + 1;
    }

    // Adds the record that was written to `place` and ends at `behind`.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AddRecord(Batch* batch, byte* place, byte* behind)
    {
        batch->Result.Records++;
        batch->Result.UsedBytes += Contract.RecordStride((Record*)place);
        batch->Behind = behind;
    }

    // Pass 3: reads the records of the chunk that end in it; with `one` the first of them only.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadChunk(Batch* batch, bool one)
    {
        Chunk* chunk = &batch->Chunk;
        bool isLast = chunk->Text + chunk->Bytes == batch->Reader.End;
        nuint entry = 0;
        uint waiting = 0;
        while (!batch->Ended && entry < chunk->Count)
        {
            nuint behind = ReadRecord(batch, entry);
            if (behind == 0)
            {
                // The rest may be one record that goes on behind the chunk.
                bool cut = !isLast && chunk->Count - entry < Chunk.LookAhead;
                if (cut && (entry != 0 || chunk->Bytes < Scratch.ChunkBytes))
                {
                    break;
                }
                ReadStep(batch);
                behind = SkipEntries(batch, entry);
            }
            entry = behind;
            if (one)
            {
                break;
            }
            if (++waiting == Group)
            {
                DigestRecords(batch);
                waiting = 0;
            }
        }
        DigestRecords(batch);
    }

    // Reads records in canonical layout and one style as long as they are.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadInStyle<TSpacing>(Batch* batch, RecordStyle* style)
        where TSpacing : struct, ISpacing
    {
        byte* tables = batch->Chunk.Tables;
        nuint commaBlanks = TSpacing.CommaBlanks(style);
        byte* at = batch->Behind;
        byte* last = batch->Reader.End - (Chunk.DirectBytes - Contract.PadBack) - commaBlanks;
        while (ReadGroup<TSpacing>(batch, tables, at, last, style))
        {
            DigestRecords(batch);
            at = batch->Behind;
        }
        DigestRecords(batch);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadGroup<TSpacing>(Batch* batch, byte* tables, byte* at, byte* last, RecordStyle* style)
        where TSpacing : struct, ISpacing
    {
        nuint commaBlanks = TSpacing.CommaBlanks(style);
        byte* place = batch->Records + batch->Result.UsedBytes;
        uint records = batch->Result.Records;
        uint full = records + Group;
        while (at < last && records < Contract.BatchRecordsMax)
        {
            if (records != 0)
            {
                if (at[0] != ',' || (commaBlanks != 0 && at[1] != ' '))
                {
                    break;
                }
                at += 1 + commaBlanks;
            }
            Sse.Prefetch0(at + Chunk.PrefetchBytes);
            Sse.Prefetch0(at + Chunk.PrefetchBytes + 64);
            byte* behind = TKernel.ReadDirect<TSpacing>(tables, at, batch->Reader.End, style, ref place);
            if (behind == null)
            {
                break;
            }
            records++;
            at = behind;
            batch->Behind = behind;
            if (records == full)
            {
                break;
            }
        }
        batch->Result.Records = records;
        batch->Result.UsedBytes = (ulong)(place - batch->Records);
        return records == full;
    }

    // The brace of the next record, or null.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* FindNextBrace(Reader* reader, byte* behind, bool first)
    {
        byte* at = Reader.SkipSpace(reader, behind);
        if (!first)
        {
            if (!Reader.IsAt(reader, at, (byte)','))
            {
                return null;
            }
            at = Reader.SkipSpace(reader, at + 1);
        }
        return Reader.IsAt(reader, at, (byte)'{') ? at : null;
    }

    // Reads plain records whose keys stand in any order and that are spaced as the next one is, as long as they are so.
    // True: it stopped because they seem to be in the contract's order.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool ReadShuffled(Batch* batch)
    {
        byte* tables = batch->Chunk.Tables;
        byte* end = batch->Reader.End;
        byte* last = end - TKernel.AnyOrderBytes;
        byte* room = Scratch.RoomOf(batch->Chunk.Scratch)->AnyOrder;
        bool learned = false;
        uint orderedCount = 0;
        uint waiting = 0;
        while (orderedCount < 2 && batch->Result.Records < Contract.BatchRecordsMax)
        {
            byte* brace = FindNextBrace(&batch->Reader, batch->Behind, batch->Result.Records == 0);
            if (brace == null || brace > last)
            {
                break;
            }
            if (!learned)
            {
                TKernel.LearnSpacing(tables, brace, room);
                learned = true;
            }
            Sse.Prefetch0(brace + Chunk.PrefetchBytes);
            Sse.Prefetch0(brace + Chunk.PrefetchBytes + 64);
            byte* place = batch->Records + batch->Result.UsedBytes;
            byte* behind = TKernel.ReadAnyOrder(tables, brace, end, room, (Record*)place, out bool ordered);
            if (behind == null)
            {
                break;
            }
            AddRecord(batch, place, behind);
            if (++waiting == Group)
            {
                DigestRecords(batch);
                waiting = 0;
            }
            orderedCount = (orderedCount + 1) & (uint)Bits.Mask(ordered);
        }
        DigestRecords(batch);
        return orderedCount == 2;
    }

    // Reads records without an index, in the style that the next one seems to have: a wrong guess is found out at the
    // first literal.
    private static void ReadOrdered(Batch* batch)
    {
        byte* at = batch->Behind;
        if (batch->Reader.End - at <= Chunk.DirectBytes)
        {
            return;
        }
        bool first = batch->Result.Records == 0;
        bool comma = !first && at[1] == ' ';
        at += first ? 0 : comma ? 2 : 1;
        bool colon = at[6] == ' ';
        RecordStyle* styles = Tables.RecordStyles(batch->Chunk.Tables);
        if (colon || comma)
        {
            bool blank = first ? colon : comma;
            ReadInStyle<Spaced>(batch, styles + (colon ? 1 : 0) + (blank ? 2 : 0));
        }
        else
        {
            ReadInStyle<Compact>(batch, styles);
        }
    }

    // Reads records without an index as long as they are plain.
    private static void ReadDirectly(Batch* batch)
    {
        ReadOrdered(batch);
        if (batch->Reader.End - batch->Behind > (long)TKernel.AnyOrderBytes)
        {
            while (ReadShuffled(batch))
            {
                ReadOrdered(batch);
            }
        }
    }

    private static void ReadBatch(Batch* batch, ParserState* hints)
    {
        nuint chunkBytes = hints->ChunkBytes == 0 ? FirstChunkBytes : hints->ChunkBytes;
        while (!batch->Ended)
        {
            byte* before = batch->Behind;
            ReadDirectly(batch);
            chunkBytes = batch->Behind != before ? FirstChunkBytes : chunkBytes;
            nuint left = (nuint)(batch->Reader.End - batch->Behind);
            before = batch->Behind;
            if (left > 0)
            {
                TKernel.ScanChunk(&batch->Chunk, batch->Behind, left < chunkBytes ? left : chunkBytes, &hints->Dense);
                ReadChunk(batch, chunkBytes == FirstChunkBytes);
            }
            bool grown = chunkBytes < Scratch.ChunkBytes && chunkBytes < left;
            chunkBytes = chunkBytes < Scratch.ChunkBytes ? chunkBytes * 2 : chunkBytes;
            if (batch->Behind == before && !batch->Ended && !grown)
            {
                ReadStep(batch);
            }
        }
        hints->ChunkBytes = (uint)chunkBytes;
    }

    // Makes the totals of a batch that was accepted.
    private static void EndTotals(Batch* batch)
    {
        Totals* totals = batch->Totals;
        TKernel.EndSums(batch->Sums, batch->Columns, totals);
        ulong payloadBytes = (ulong)(batch->Reader.End - batch->Reader.Begin);
        Totaling.Accept(totals, (byte*)batch->Waiting[0], (uint)batch->WaitingCount, batch->Result.Digest, payloadBytes);
    }

    /// <summary>As Parser.Parse().</summary>
    internal static void Parse(
        ParserState* state, byte* json, nuint jsonBytes, byte* recordsOut, Result* resultOut, byte* tables)
    {
        BatchRoom* room = Scratch.RoomOf(state->Scratch);
        Batch* batch = &room->Batch;
        *batch = default;
        batch->Chunk.Scratch = state->Scratch;
        batch->Chunk.Tables = tables;
        batch->Reader.Begin = json;
        batch->Reader.End = json + jsonBytes;
        batch->Reader.Tables = tables;
        batch->Records = recordsOut;
        batch->Totals = &state->Totals;
        state->Totals = default;
        batch->Sums = room->Sums;
        batch->Columns = &room->Columns;
        TKernel.BeginSums(batch->Sums);
        batch->Behind = RecordScalar.Begin(&batch->Reader);
        batch->Ended = batch->Behind == null;
        ReadBatch(batch, state);
        RecordScalar.WriteResult(&batch->Reader, &batch->Result, resultOut);
        if (resultOut->Error == Error.Ok)
        {
            EndTotals(batch);
            resultOut->Totals = batch->Totals;
        }
    }

    /// <summary>For the kernels' ScanChunk(): entries behind the last one must look like none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void EndEntries(Chunk* chunk)
    {
        Unsafe.InitBlockUnaligned(chunk->Scratch->Stream + chunk->Count, 0, Chunk.LookAhead);
        ushort* position = chunk->Scratch->Position + chunk->Count;
        Vector256<ushort> last = Vector256.Create((ushort)(chunk->Bytes - 1));
        for (uint i = 0; i < Chunk.LookAhead; i += 16)
        {
            last.Store(position + i);
        }
    }
}
