using System;
using System.Threading;
using Xunit;

namespace MatchRace.Record.Tests;

// What must not be done is refused before native code is reached.
public sealed class MisuseTests
{
    [Fact]
    public void ADisposedParserIsRefused()
    {
        BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.ExampleBytes, batch);
        parser.Dispose();
        parser.Dispose();
        Assert.Throws<ObjectDisposedException>(() => parser.Parse("[]"u8, new RecordBatch()));
        Assert.Throws<ObjectDisposedException>(() => parser.Parse("[]"u8, new RecordBatch())); // and is not busy now
        Assert.Equal(Samples.ExampleDigest, batch.Digest); // what it gave stays
    }

    [Fact]
    public void ABatchIsNeeded()
    {
        using BatchParser parser = new();
        Assert.Throws<ArgumentNullException>(() => parser.Parse("[]"u8, null!));
        Assert.Throws<ArgumentNullException>(() => parser.TryParse(Samples.Padded(Samples.Rimmed([])), null!, out _));
    }

    [Theory]
    [InlineData(200, 63, 10)]
    [InlineData(200, -1, 10)]
    [InlineData(200, 64, -1)]
    [InlineData(200, 64, 73)]
    [InlineData(127, 64, 0)]
    [InlineData(200, 64, int.MaxValue)]
    public void RimsMustBeThere(int memory, int start, int length) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new PaddedJson(new byte[memory], start, length).Start);

    [Fact]
    public void ADefaultTextIsRefused()
    {
        using BatchParser parser = new();
        Assert.Throws<ArgumentException>(() => parser.Parse(default(PaddedJson), new RecordBatch()));
    }

    [Fact]
    public void MemoryForRecordsIsChecked()
    {
        using BatchParser parser = new();
        byte[] rimmed = Samples.Rimmed(Samples.ExampleBytes);
        int capacity = RecordSequence.CapacityFor(Samples.ExampleBytes.Length);
        byte[] memory = new byte[capacity + 1];
        byte[] both = new byte[rimmed.Length + capacity];
        Assert.Throws<ArgumentException>(
            () => parser.TryParse(Samples.Padded(rimmed), memory.AsSpan(0, capacity - 1), out _, out _));
        Assert.Throws<ArgumentException>(
            () => parser.TryParse(Samples.Padded(rimmed), memory.AsSpan(1, capacity), out _, out _));
        Assert.Throws<ArgumentException>(
            () => parser.TryParse(new PaddedJson(both, 64, Samples.ExampleBytes.Length), both, out _, out _));
        Assert.True(parser.TryParse(Samples.Padded(rimmed), memory.AsSpan(0, capacity), out _, out _));
    }

    [Fact]
    public void AnUnknownKernelIsRefused()
    {
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => new BatchParser("mmx"));
        Assert.Contains("scalar", thrown.Message, StringComparison.Ordinal);
        foreach (KernelInfo kernel in KernelInfo.BuiltIn)
        {
            if (!kernel.IsSupported)
            {
                Assert.Throws<PlatformNotSupportedException>(() => new BatchParser(kernel.Name));
            }
        }
    }

    [Fact]
    public void ASecondThreadIsRefused()
    {
        using BatchParser parser = new();
        byte[] rimmed = Samples.Rimmed(Samples.Many(60000));
        using CancellationTokenSource limit = new(TimeSpan.FromSeconds(60));
        int refused = 0;
        void Work()
        {
            RecordBatch batch = new();
            while (Volatile.Read(ref refused) == 0 && !limit.IsCancellationRequested)
            {
                try
                {
                    parser.Parse(Samples.Padded(rimmed), batch);
                    Assert.Equal(60000, batch.Count);
                }
                catch (InvalidOperationException)
                {
                    Interlocked.Increment(ref refused);
                }
            }
        }
        Thread other = new(Work);
        other.Start();
        Work();
        other.Join();
        Assert.NotEqual(0, refused);
        parser.Parse(Samples.ExampleBytes, new RecordBatch()); // and it works on
    }

    [Fact]
    public void RecordsThatWereOverwrittenEndInAnException()
    {
        byte[] memory = new byte[64];
        memory.AsSpan().Fill(0xff);
        Assert.Throws<ArgumentOutOfRangeException>(() => new RecordView(memory).Id);
        Assert.Throws<ArgumentOutOfRangeException>(() => new RecordView(memory.AsSpan(0, 31)).Id);
        Assert.Throws<ArgumentOutOfRangeException>(() => new RecordSequence(new byte[40], 2).GetEnumerator().MoveTwice());
        Assert.Throws<ArgumentOutOfRangeException>(() => new RecordSequence(memory, -1).Count);
    }
}

internal static class EnumeratorExtensions
{
    public static bool MoveTwice(this RecordSequence.Enumerator records) => records.MoveNext() && records.MoveNext();
}
