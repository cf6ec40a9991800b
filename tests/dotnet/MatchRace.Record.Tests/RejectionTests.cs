using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Xunit;

namespace MatchRace.Record.Tests;

// Rejections say why and where, as a result or as an exception.
public sealed class RejectionTests
{
    [Fact]
    public void ReasonRecordAndOffset()
    {
        string text = "[" + Samples.Record() + "," + Samples.Record(kind: "\"Event\"") + "]";
        int offset = text.IndexOf("Event", StringComparison.Ordinal);
        using BatchParser parser = new();
        RecordBatch batch = new();
        Assert.False(parser.TryParse(Encoding.UTF8.GetBytes(text), batch, out Rejection rejection));
        Assert.Equal((RejectionReason.Kind, 1), (rejection.Reason, rejection.RecordIndex));
        Assert.InRange(rejection.ByteOffset, offset - 1, offset);
        Assert.StartsWith($"record 1, byte {rejection.ByteOffset}: ", rejection.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void TheSameByException()
    {
        byte[] json = Samples.Batch(Samples.Record(value: "1e16"));
        using BatchParser parser = new();
        RecordBatch batch = new();
        Assert.False(parser.TryParse(json, batch, out Rejection expected));
        BatchRejectedException thrown = Assert.Throws<BatchRejectedException>(() => parser.Parse(json, batch));
        Assert.Equal(expected, thrown.Rejection);
        Assert.Equal(expected.ToString(), thrown.Message);
        BatchRejectedException padded =
            Assert.Throws<BatchRejectedException>(() => parser.Parse(Samples.Padded(Samples.Rimmed(json)), batch));
        Assert.Equal(expected, padded.Rejection);
        parser.Parse(Samples.ExampleBytes, batch); // it can still be used
        Assert.Equal(Samples.ExampleDigest, batch.Digest);
    }

    [Fact]
    public void ARejectedBatchLeavesNoRecords()
    {
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.ExampleBytes, batch);
        Assert.False(parser.TryParse("[1]"u8, batch, out _));
        Assert.Equal((0, 0UL, 0), (batch.Count, batch.Digest, batch.Bytes.Length));
        Assert.Equal(0UL, batch.ComputeTotals().Records);
    }

    [Fact]
    public void AnEmptyTextIsRejected()
    {
        using BatchParser parser = new();
        Assert.False(parser.TryParse([], new RecordBatch(), out Rejection rejection));
        Assert.Equal(RejectionReason.Empty, rejection.Reason);
    }

    [Fact]
    public void EveryReasonHasASentenceOfItsOwn()
    {
        string Sentence(RejectionReason reason) => new Rejection(reason, 0, 0).ToString();
        string unknown = Sentence((RejectionReason)9999);
        List<string> sentences = [.. Enum.GetValues<RejectionReason>().Select(Sentence)];
        Assert.Equal(sentences.Count, sentences.Distinct().Count());
        Assert.DoesNotContain(unknown, sentences);
        Assert.Equal(unknown, Sentence((RejectionReason)sentences.Count)); // none was forgotten here
    }
}
