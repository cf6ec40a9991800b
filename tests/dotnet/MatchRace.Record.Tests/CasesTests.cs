using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using Xunit;

namespace MatchRace.Record.Tests;

// The batches with known answers of tests/cases, by every kernel and in every way to hand a text over.
public sealed class CasesTests
{
    private sealed record Case(string Name, byte[] Json, bool Accepted, int Records, ulong Digest);

    [Theory]
    [InlineData("cases.jsonl", 718)]
    [InlineData("schema.jsonl", 433)]
    public void EveryVerdict(string file, int count)
    {
        List<Case> cases = [.. File.ReadLines(Path.Combine(AppContext.BaseDirectory, "cases", file)).Select(Read)];
        Assert.Equal(count, cases.Count);
        foreach (KernelInfo kernel in KernelInfo.BuiltIn.Where(kernel => kernel.IsSupported))
        {
            using BatchParser parser = new(kernel.Name);
            RecordBatch batch = new();
            List<string> wrong = [.. cases.Where(one => !IsRight(parser, batch, one)).Select(one => one.Name)];
            Assert.True(wrong.Count == 0, $"{kernel.Name} answers otherwise: {string.Join(", ", wrong)}");
        }
    }

    private static bool IsRight(BatchParser parser, RecordBatch batch, Case one)
    {
        byte[] rimmed = Samples.Rimmed(one.Json);
        PaddedJson padded = Samples.Padded(rimmed);
        byte[] memory = new byte[RecordSequence.CapacityFor(one.Json.Length)];
        bool copied = parser.TryParse(one.Json, batch, out Rejection first) == one.Accepted && Agrees(batch, one);
        bool direct = parser.TryParse(padded, batch, out Rejection second) == one.Accepted && Agrees(batch, one);
        bool placed = parser.TryParse(padded, memory, out ParsedBatch parsed, out Rejection third) == one.Accepted &&
                      (parsed.Count, parsed.Digest) == (one.Records, one.Digest);
        bool explained = (first.Reason == RejectionReason.None) == one.Accepted && first == second && first == third &&
                         first.ByteOffset <= one.Json.Length;
        return copied && direct && placed && explained;
    }

    private static bool Agrees(RecordBatch batch, Case one)
    {
        ulong digest = 0;
        foreach (RecordView record in batch)
        {
            digest += record.ComputeDigest();
        }
        return batch.Count == one.Records && batch.Digest == one.Digest && digest == one.Digest &&
               batch.ComputeTotals().Records == (ulong)one.Records;
    }

    private static Case Read(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        JsonElement root = document.RootElement;
        return new Case(root.GetProperty("name").GetString()!, root.GetProperty("payload_b64").GetBytesFromBase64(),
                        root.GetProperty("status").GetInt32() == 0, root.GetProperty("records").GetInt32(),
                        ulong.Parse(root.GetProperty("digest").GetString()!, NumberStyles.AllowHexSpecifier,
                                    CultureInfo.InvariantCulture));
    }
}
