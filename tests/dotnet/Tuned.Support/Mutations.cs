// Mutations.cs: batches changed by chance, as their grammar has it (tests/fuzz/mutator.c), through all kernels.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text.Json;

namespace MatchRace.Tuned.Support;

/// <summary>
/// A difference that was found. The text alone may show nothing: kernels may remember what they read before, and
/// then the seed and the number of executions show it again.
/// </summary>
public sealed record Difference(ulong Execution, string Complaint, byte[] Text);

/// <summary>A run: the same inputs for the same seed and seeds' files. Ends with Dispose().</summary>
public sealed unsafe class Mutations : IDisposable
{
    private const int InputsMax = 4096;
    private const int InputBytesMax = 24000; // longer than the chunks that follow a plain record
    private const int OracleEvery = 64;      // the oracle is slower than all kernels

    private readonly List<byte[]> inputs = [];
    private readonly byte[] bytes = new byte[InputBytesMax];
    private ulong state;
    private void* checker;

    /// <summary>A run over the batches of tests/cases and of the files in <paramref name="folders"/>.</summary>
    public Mutations(ulong seed, IEnumerable<string> folders)
    {
        state = seed;
        checker = Foreign.Checker(InputBytesMax);
        foreach (string file in (string[])["cases.jsonl", "schema.jsonl"])
        {
            foreach (string line in File.ReadLines(Path.Combine(Foreign.Root, "tests/cases", file)))
            {
                using JsonDocument item = JsonDocument.Parse(line);
                Keep(item.RootElement.GetProperty("payload_b64").GetBytesFromBase64());
            }
        }
        foreach (string folder in folders)
        {
            string[] files = Directory.GetFiles(folder);
            Array.Sort(files, StringComparer.Ordinal);
            foreach (string file in files)
            {
                Keep(File.ReadAllBytes(file));
            }
        }
    }

    /// <summary>Batches to begin with.</summary>
    public int Seeds => inputs.Count;

    /// <summary>Executions so far.</summary>
    public ulong Executions { get; private set; }

    /// <summary>Goes on until so many executions or seconds are over, or a difference is found.</summary>
    public Difference? Run(ulong executions, double seconds)
    {
        Stopwatch watch = Stopwatch.StartNew();
        for (ulong end = Executions + executions; Executions < end && watch.Elapsed.TotalSeconds < seconds;)
        {
            Difference? difference = Execute();
            if (difference != null)
            {
                return difference;
            }
        }
        return null;
    }

    public void Dispose()
    {
        if (checker != null)
        {
            Foreign.CheckerEnd(checker);
            checker = null;
        }
    }

    // SplitMix64, as in lib/base/rng.h.
    private ulong Next()
    {
        state += 0x9E3779B97F4A7C15;
        ulong z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    private int Below(int bound) => (int)Math.BigMul(Next(), (ulong)bound, out _);

    private void Keep(byte[] input)
    {
        if (input.Length > InputBytesMax)
        {
            return;
        }
        if (inputs.Count < InputsMax)
        {
            inputs.Add(input);
        }
        else
        {
            inputs[Below(InputsMax)] = input;
        }
    }

    private Difference? Execute()
    {
        byte[] input = inputs[Below(inputs.Count)];
        input.CopyTo(bytes, 0);
        fixed (byte* text = bytes)
        {
            nuint count = (nuint)input.Length;
            if (Below(8) == 0)
            {
                byte[] front = inputs[Below(inputs.Count)];
                fixed (byte* other = front)
                {
                    count = Foreign.Cross(text, count, InputBytesMax, other, (nuint)front.Length, Next());
                }
            }
            for (int times = 1 + Below(5); times > 0; times--)
            {
                count = Change(text, count);
            }
            Executions++;
            string? complaint = Foreign.Check(checker, text, count, Executions % OracleEvery == 0);
            if (complaint != null)
            {
                return new Difference(Executions, complaint, bytes.AsSpan(0, (int)count).ToArray());
            }
            if (Executions % 8 == 0)
            {
                Keep(bytes.AsSpan(0, (int)count).ToArray());
            }
        }
        return null;
    }

    // Some of the time one byte becomes any other.
    private nuint Change(byte* text, nuint count)
    {
        if (Below(4) == 0 && count > 0)
        {
            text[Below((int)count)] = (byte)Next();
            return count;
        }
        return Foreign.Mutate(text, count, InputBytesMax, Next() >> 33);
    }
}
