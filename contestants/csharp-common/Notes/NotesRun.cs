using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.IO.Hashing;
using System.Runtime;
using System.Runtime.InteropServices;

namespace MatchRace.Common;

/// <summary>The iterations of `notes`: variant by variant, timed, printed with the text's digest.</summary>
internal sealed class NotesRun(NotesOptions options, NotesContestant contestant)
{
    private static readonly long s_nsATick = 1_000_000_000 / Stopwatch.Frequency;

    private Steadiness _steadiness = new(0, 0);
    private long _allocated;

    /// <exception cref="EnvironmentException">A file or the output can't be written.</exception>
    public void Run()
    {
        NotesData data = new(options.Count, options.IsMixed, (ulong)options.Seed);
        OwnMemory memory = new();
        NotesWriter writer = contestant.CreateWriter(options.Form, data.Notes);
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
        using Stream input = new BufferedStream(Console.OpenStandardInput());
        _steadiness = new Steadiness(NowNs(), JitInfo.GetCompiledMethodCount());
        while (GoesOn(input))
        {
            RunIteration(data, writer);
        }
        StandardOutput.Write(NotesSummary.Make(options, contestant, _steadiness, memory, _allocated));
    }

    private static long NowNs() => Stopwatch.GetTimestamp() * s_nsATick;

    private bool GoesOn(Stream input)
    {
        if (options.Repeat is long repeat && _steadiness.Iterations >= repeat)
        {
            return false;
        }
        return options.IsStepping ? StepInput.TryReadLine(input) : options.Repeat is not null || !_steadiness.IsEnough(NowNs());
    }

    private void RunIteration(NotesData data, NotesWriter writer)
    {
        long number = _steadiness.Iterations;
        data.SetVariant((int)(number % NotesData.Variants));
        long allocated = GC.GetAllocatedBytesForCurrentThread();
        long start = NowNs();
        NotesOutput output = writer.Write(data.Notes);
        long took = Math.Max(1, NowNs() - start);
        _allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        ReadOnlySpan<byte> bytes = output.Text is string text ? MemoryMarshal.AsBytes(text.AsSpan()) : output.Utf8.Span;
        long compiled = JitInfo.GetCompiledMethodCount();
        StandardOutput.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{{\"iteration\":{number},\"ns\":{took},\"bytes\":{bytes.Length},\"digest\":\"{XxHash3.HashToUInt64(bytes):x16}\",") +
            string.Create(CultureInfo.InvariantCulture, $"\"compiled_methods\":{compiled}}}\n"));
        if (number == 0 && options.Output is string path)
        {
            Save(path, bytes);
        }
        _steadiness.Add(took, NowNs(), compiled);
    }

    private static void Save(string path, ReadOnlySpan<byte> bytes)
    {
        try
        {
            using FileStream file = new(path, FileMode.Create);
            file.Write(bytes);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new EnvironmentException($"{path}: {e.Message}");
        }
    }
}
