using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace MatchRace.Record.Tests;

// Moving arrays, many threads, and parsers that nobody disposes of.
public sealed class MemoryTests
{
    // A call takes some microseconds, and a collection has to come in just then: a few hundred of them may all be missed.
    private const int Passes = 5000;

    [Fact]
    public void ArraysThatMoveAreHeldStillWhileTheyAreParsed()
    {
        byte[] model = Samples.Rimmed(Samples.Many(200));
        using BatchParser parser = new();
        RecordBatch batch = new();
        parser.Parse(Samples.Padded(model), batch);
        ulong expected = batch.Digest;
        using CancellationTokenSource done = new();
        Thread collector = new(() => CollectUntil(done.Token));
        collector.Start();
        int moved = 0;
        for (int pass = 0; pass < Passes; pass++)
        {
            byte[][] hole = [.. Enumerable.Range(0, 8).Select(_ => new byte[4000])]; // garbage before, so that it moves
            byte[] text = [.. model];
            byte[] place = new byte[RecordSequence.CapacityFor(text.Length)];
            nint before = AddressOf(text);
            GC.KeepAlive(hole);
            Assert.True(parser.TryParse(Samples.Padded(text), place, out ParsedBatch parsed, out _));
            Assert.Equal(expected, parsed.Digest);
            ulong digest = 0;
            foreach (RecordView record in new RecordSequence(place, parsed.Count))
            {
                digest += record.ComputeDigest();
            }
            Assert.Equal(expected, digest); // the records stand in the array, wherever it went
            if (pass % 10 == 0)
            {
                GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
                moved += AddressOf(text) != before ? 1 : 0;
            }
        }
        done.Cancel();
        collector.Join();
        Assert.NotEqual(0, moved); // or this test looked at nothing
    }

    [Fact]
    public void ManyThreadsWithAParserEach()
    {
        byte[][] texts = [.. Enumerable.Range(1, 16).Select(i => Samples.Rimmed(Samples.Many(i * 37)))];
        ulong[] digests = [.. texts.Select(DigestOf)];
        int batches = 0;
        Thread[] threads = [.. Enumerable.Range(0, 8).Select(first => new Thread(() =>
        {
            using BatchParser parser = new();
            RecordBatch batch = new();
            for (int i = first; i < 300; i++)
            {
                parser.Parse(Samples.Padded(texts[i % 16]), batch);
                if (batch.Digest == digests[i % 16])
                {
                    Interlocked.Increment(ref batches);
                }
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.Equal(Enumerable.Range(0, 8).Sum(first => 300 - first), batches);
    }

    [Fact]
    public async Task DisposeDuringACallLetsItEnd()
    {
        byte[] rimmed = Samples.Rimmed(Samples.Many(20000));
        ulong expected = DigestOf(rimmed);
        for (int round = 0; round < 10; round++)
        {
            BatchParser parser = new();
            using ManualResetEventSlim begun = new();
            Task<bool> worker = Task.Run(() => ParseUntilDisposed(parser, rimmed, expected, begun));
            Assert.True(begun.Wait(TimeSpan.FromSeconds(60)));
            parser.Dispose();
            Assert.True(await worker);
        }
    }

    [Fact]
    public void ForgottenParsersAreFreed()
    {
        Forget(200);
        long before = ResidentBytes();
        Forget(1000); // half a megabyte each
        Assert.InRange(ResidentBytes() - before, long.MinValue, 200_000_000);
    }

    private static bool ParseUntilDisposed(BatchParser parser, byte[] rimmed, ulong expected, ManualResetEventSlim begun)
    {
        RecordBatch batch = new();
        try
        {
            while (true)
            {
                parser.Parse(Samples.Padded(rimmed), batch);
                begun.Set();
                if (batch.Digest != expected)
                {
                    return false;
                }
            }
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    private static void Forget(int count)
    {
        for (int i = 0; i < count; i++)
        {
            MakeOne();
            if (i % 100 == 99)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void MakeOne() => new BatchParser().Parse(Samples.ExampleBytes, new RecordBatch());

    private static void CollectUntil(CancellationToken done)
    {
        while (!done.IsCancellationRequested)
        {
            GC.KeepAlive(new byte[100_000]);
            GC.Collect(0, GCCollectionMode.Forced, blocking: true, compacting: true);
        }
    }

    private static ulong DigestOf(byte[] rimmed)
    {
        using BatchParser parser = new("scalar");
        RecordBatch batch = new();
        parser.Parse(Samples.Padded(rimmed), batch);
        return batch.Digest;
    }

    private static unsafe nint AddressOf(byte[] array)
    {
        fixed (byte* first = array)
        {
            return (nint)first;
        }
    }

    private static long ResidentBytes()
    {
        string line = File.ReadLines("/proc/self/status").First(line => line.StartsWith("VmRSS:", StringComparison.Ordinal));
        return 1024 * long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
    }
}
