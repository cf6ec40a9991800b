// PassesTest.cs: after passes 1 and 2 of the AVX2 kernel every array is C's, entry by entry: index, stream, lists of blocks,
// escapes; over all cases, at every offset of a block, with forbidden pages behind, and over texts made by chance.
using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Hashing;
using System.Runtime.InteropServices;
using System.Text.Json;

using MatchRace.Tuned.Avx2Kernel;
using MatchRace.Tuned.Support;

using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed unsafe class PassesTest : IDisposable
{
    private const int TextBytesMax = Scratch.ChunkBytes;

    private readonly GuardedText text = new(TextBytesMax);
    private readonly Scratch* own = NewScratch();
    private readonly Scratch* other = NewScratch();

    public void Dispose()
    {
        text.Dispose();
        NativeMemory.AlignedFree(own);
        NativeMemory.AlignedFree(other);
    }

    [Fact]
    public void TheScratchMemoryIsThatOfC() => Assert.Equal(Parity.ScratchBytes, (nuint)sizeof(Scratch));

    [Fact]
    public void EveryCaseAtEveryOffsetOfABlock()
    {
        if (!RecordAvx2.IsSupported)
        {
            return;
        }
        int compared = 0;
        foreach (byte[] payload in Cases())
        {
            if (payload.Length is 0 or > TextBytesMax - 64)
            {
                continue;
            }
            byte[] moved = new byte[payload.Length + 64];
            for (int offset = 0; offset < 64; offset += payload.Length > 2000 ? 7 : 1)
            {
                moved.AsSpan(0, offset).Fill((byte)' ');
                payload.CopyTo(moved, offset);
                Compare(moved.AsSpan(0, offset + payload.Length), offset % 3);
                compared++;
            }
        }
        Assert.True(compared > 40000, $"{compared} texts are few");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void TextsMadeByChance(int seed)
    {
        if (!RecordAvx2.IsSupported)
        {
            return;
        }
        Random random = new(seed);
        string[] pieces =
        [
            "\\", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\udc00", "\\n", "\\x", "\"", "{\"id\":1,", "\"flags\":[", "é",
            "€", "😀", "\u0001", " ", "\n", "abc", "0123456789", ",", ":", "}", "]", "\\\\", "\\u12", "\u007f",
            "a long piece of plain text that fills a good part of a block, and then some more of it",
        ];
        for (int turn = 0; turn < 4000; turn++)
        {
            int length = random.Next(1, turn % 16 == 0 ? TextBytesMax : 700);
            byte[] made = Make(random, pieces, length);
            Compare(made, random.Next(64));
        }
    }

    private static byte[] Make(Random random, string[] pieces, int length)
    {
        using MemoryStream stream = new();
        while (stream.Length < length)
        {
            stream.Write(System.Text.Encoding.UTF8.GetBytes(pieces[random.Next(pieces.Length)]));
            if (random.Next(200) == 0)
            {
                stream.WriteByte((byte)random.Next(256));
            }
        }
        return stream.ToArray()[..length];
    }

    // All cases of tests/cases, as bytes.
    private static IEnumerable<byte[]> Cases()
    {
        foreach (string name in new[] { "cases.jsonl", "schema.jsonl" })
        {
            foreach (string line in File.ReadLines(Path.Combine(Foreign.Root, "tests/cases", name)))
            {
                if (PayloadOf(line) is byte[] payload)
                {
                    yield return payload;
                }
            }
        }
    }

    private static byte[]? PayloadOf(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.TryGetProperty("payload_b64", out JsonElement value)
            ? value.GetBytesFromBase64()
            : document.RootElement.TryGetProperty("payload", out value)
                ? System.Text.Encoding.UTF8.GetBytes(value.GetString()!)
                : null;
    }

    private static Scratch* NewScratch()
    {
        nuint bytes = (nuint)(sizeof(Scratch) + sizeof(BatchRoom));
        Scratch* scratch = (Scratch*)NativeMemory.AlignedAlloc(bytes, Scratch.Alignment);
        NativeMemory.Clear(scratch, bytes);
        return scratch;
    }

    private void Compare(ReadOnlySpan<byte> bytes, int behind)
    {
        byte* place = text.Put(bytes, behind);
        Chunk chunk = new() { Scratch = own, Tables = Tables.Base };
        bool dense = false;
        RecordAvx2.ScanChunk(&chunk, place, (nuint)bytes.Length, &dense);
        ParityScan scan = Parity.Scan(place, (nuint)bytes.Length, other);
        Assert.Equal(scan.Count, chunk.Count);
        Assert.Equal(scan.DirtyFrom, chunk.DirtyFrom);
        Assert.Equal(scan.EscapesFrom, chunk.EscapesFrom);
        int blocks = (bytes.Length + 63) / 64;
        int entries = (int)scan.Count + (int)Chunk.LookAhead;
        Same("stream", own->Stream, other->Stream, entries);
        Same("position", own->Position, other->Position, 2 * entries);
        Same("outside", Scratch.OutsideOf(own), Scratch.OutsideOf(other), sizeof(Outside) * (int)scan.Outside);
        Same("beyond_ascii", own->BeyondAscii, other->BeyondAscii, 2 * (int)scan.BeyondAscii);
        Same("escaped", own->Escaped, other->Escaped, 8 * blocks);
        Same("touched", own->Touched, other->Touched, 8 * blocks);
        Same("keep", own->Keep, other->Keep, 8 * blocks);
        Same("escaped_blocks", own->EscapedBlocks, other->EscapedBlocks, 2 * (int)scan.EscapedBlocks);
        Same("unit_at", own->UnitAt, other->UnitAt, 2 * (int)scan.Units);
        if (scan.Units <= Scratch.ChunkBytes / 6 + 1)
        {
            Same("digits", own->Digits, other->Digits, 4 * (int)scan.Units);
        }
        for (int i = 0; i < (int)scan.EscapedBlocks; i++)
        {
            int offset = own->EscapedBlocks[i];
            Same("copy", own->Copy + offset, other->Copy + offset, Math.Min(64, bytes.Length - offset));
        }
    }

    private static void Same(string name, void* left, void* right, int bytes)
    {
        ReadOnlySpan<byte> ours = new(left, bytes);
        ReadOnlySpan<byte> theirs = new(right, bytes);
        if (XxHash3.HashToUInt64(ours) != XxHash3.HashToUInt64(theirs))
        {
            Assert.Fail($"{name}: byte {ours.CommonPrefixLength(theirs)} of {bytes} differs from C's");
        }
    }
}
