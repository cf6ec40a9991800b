using System;
using Xunit;

namespace MatchRace.Record.Tests;

// What comes out is what stands in the text.
public sealed class ValueTests
{
    [Fact]
    public void ExampleOfTheProtocol()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.ExampleBytes, batch);
        Assert.Equal(1, batch.Count);
        Assert.Equal(Samples.ExampleDigest, batch.Digest);
        int seen = 0;
        foreach (RecordView record in batch)
        {
            seen++;
            Assert.Equal(5942859575UL, record.Id);
            Assert.Equal(1764054335349840UL, record.TimestampUs);
            Assert.Equal(new DateTimeOffset(2025, 11, 25, 7, 5, 35, 349, 840, TimeSpan.Zero), record.Timestamp);
            Assert.Equal(-268.6222, record.Value);
            Assert.Equal(RecordKind.Event, record.Kind);
            Assert.Equal(RecordFlags.Urgent, record.Flags);
            Assert.Equal("sensor-1186", record.SourceText);
            Assert.Equal("india delta alpha bravo", record.MessageText);
            Assert.Equal("sensor-1186"u8, record.Source);
            Assert.Equal("india delta alpha bravo"u8, record.Message);
            Assert.Equal(Samples.ExampleDigest, record.ComputeDigest());
            Assert.Equal(RecordView.HeadBytes + 11 + 23, record.CanonicalForm.Length);
        }
        Assert.Equal(1, seen);
    }

    [Fact]
    public void KindsAndFlagsByName()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        for (int code = 0; code < 8; code++)
        {
            RecordKind kind = (RecordKind)code;
            RecordFlags flag = (RecordFlags)(1 << code);
            parser.Parse(Samples.Batch(Samples.Record(kind: Quoted(kind), flags: $"[{Quoted(flag)}]")), batch);
            foreach (RecordView record in batch)
            {
                Assert.Equal(kind, record.Kind);
                Assert.Equal(flag, record.Flags);
            }
            Assert.Equal(1, batch.Count);
        }
    }

    [Theory]
    [InlineData("-0", 0x8000000000000000)]
    [InlineData("0", 0)]
    [InlineData("5e-324", 1)]
    [InlineData("1e15", 0x430c6bf526340000)]
    [InlineData("0.1", 0x3fb999999999999a)]
    public void ValuesAreExact(string text, ulong bits)
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.Batch(Samples.Record(value: text)), batch);
        foreach (RecordView record in batch)
        {
            Assert.Equal(bits, BitConverter.DoubleToUInt64Bits(record.Value));
        }
        Assert.Equal(1, batch.Count);
    }

    [Fact]
    public void TextIsUnescaped()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.Batch(Samples.Record(source: "\"\\u0000é\"", message: "\"a\\n\\ud83d\\ude00\\\\\"")), batch);
        foreach (RecordView record in batch)
        {
            Assert.Equal("\0é", record.SourceText);
            Assert.Equal("a\n\U0001F600\\", record.MessageText);
        }
        Assert.Equal(1, batch.Count);
    }

    [Fact]
    public void EmptyBatch()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        Assert.True(parser.TryParse("[]"u8, batch, out Rejection rejection));
        Assert.Equal(default, rejection);
        Assert.Equal(0, batch.Count);
        Assert.Equal(0UL, batch.Digest);
        Assert.True(batch.Bytes.IsEmpty);
        Assert.False(batch.GetEnumerator().MoveNext());
        Assert.Equal(0UL, batch.ComputeTotals().Records);
    }

    [Fact]
    public void LargestBatch()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.Many(65535), batch);
        ulong id = 0, digest = 0;
        foreach (RecordView record in batch)
        {
            Assert.Equal(id, record.Id);
            Assert.Equal($"word é {id}", record.MessageText);
            digest += record.ComputeDigest();
            id++;
        }
        Assert.Equal(65535UL, id);
        Assert.Equal(batch.Digest, digest);
        Assert.False(parser.TryParse(Samples.Many(65536), batch, out Rejection rejection));
        Assert.Equal(RejectionReason.RecordsMax, rejection.Reason);
        Assert.Equal(0, batch.Count);
    }

    [Fact]
    public void TotalsOfEveryKernelAreThoseOfItsRecords()
    {
        foreach (KernelInfo kernel in KernelInfo.BuiltIn)
        {
            if (!kernel.IsSupported)
            {
                continue;
            }
            using BatchParser parser = new(kernel.Name);
            Assert.Equal(kernel.Name, parser.Kernel);
            RecordBatch batch = new();
            byte[] json = Samples.Batch(Samples.Record(timestamp: "5", value: "-0", kind: "\"span\"", message: "\"abc\""),
                                        Samples.Record(timestamp: "3", value: "0", flags: "[\"retry\",\"urgent\"]"));
            parser.Parse(json, batch);
            BatchTotals totals = batch.ComputeTotals();
            Assert.Equal(1UL, totals.BatchesAccepted);
            Assert.Equal(2UL, totals.Records);
            Assert.Equal((ulong)json.Length, totals.PayloadBytes);
            Assert.Equal(batch.Digest, totals.Digest);
            Assert.Equal((3UL, 5UL), (totals.TimestampUsMin, totals.TimestampUsMax));
            Assert.True(double.IsNegative(totals.ValueMin) && !double.IsNegative(totals.ValueMax));
            Assert.Equal((2UL, 3UL), (totals.SourceBytes, totals.MessageBytes));
            Assert.Equal((1UL, 1UL), (totals.Kinds[(int)RecordKind.Span], totals.Kinds[(int)RecordKind.Log]));
            Assert.Equal((1UL, 1UL, 0UL), (totals.Flags[0], totals.Flags[2], totals.Flags[1]));
        }
    }

    [Fact]
    public void RecordsInMemoryOfTheCallers()
    {
        using BatchParser parser = new();
        byte[] rimmed = Samples.Rimmed(Samples.Many(300));
        PaddedJson json = Samples.Padded(rimmed);
        byte[] memory = new byte[RecordSequence.CapacityFor(json.Text.Length)];
        Assert.True(parser.TryParse(json, memory, out ParsedBatch parsed, out _));
        RecordBatch batch = new();
        parser.Parse(json, batch);
        Assert.Equal((300, batch.Digest, batch.Bytes.Length), (parsed.Count, parsed.Digest, parsed.UsedBytes));
        Assert.True(SameRecords(batch, memory));
        int count = 0;
        foreach (RecordView record in new RecordSequence(memory, parsed.Count))
        {
            Assert.Equal((ulong)count, record.Id);
            count++;
        }
        Assert.Equal(300, count);
    }

    // The padding between records may differ.
    private static bool SameRecords(RecordBatch batch, byte[] memory)
    {
        RecordSequence.Enumerator other = new RecordSequence(memory, batch.Count).GetEnumerator();
        foreach (RecordView record in batch)
        {
            if (!other.MoveNext() || !record.CanonicalForm.SequenceEqual(other.Current.CanonicalForm))
            {
                return false;
            }
        }
        return true;
    }

    private static string Quoted<T>(T name)
        where T : Enum => $"\"{name.ToString().ToLowerInvariant()}\"";
}
