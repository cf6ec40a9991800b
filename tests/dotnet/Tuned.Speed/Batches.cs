// Batches.cs: the batches of a dataset, and what a round over them takes.
using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;

using MatchRace.Tuned;

namespace Tuned.Speed;

internal sealed unsafe class Batches : IDisposable
{
    private const int HeaderBytes = 16;
    private const int RingPlaces = 64;

    private readonly byte[] file;
    private readonly List<(int At, int Bytes)> batches = [];
    private readonly byte* text;
    private readonly byte*[][] places;
    private readonly bool keeps;
    private int turn;

    public Batches(string path, bool keeps)
    {
        this.keeps = keeps;
        file = File.ReadAllBytes(path);
        int largest = 0;
        for (int at = 0; at < file.Length;)
        {
            int bytes = BinaryPrimitives.ReadInt32LittleEndian(file.AsSpan(at));
            batches.Add((at + HeaderBytes, bytes));
            at += HeaderBytes + bytes;
            largest = Math.Max(largest, bytes);
        }
        text = (byte*)NativeMemory.AlignedAlloc((nuint)largest + 4096, 64) + 64;
        places = new byte*[8][];
        for (int runner = 0; runner < places.Length; runner++)
        {
            places[runner] = new byte*[keeps ? RingPlaces : 1];
            for (int i = 0; i < places[runner].Length; i++)
            {
                places[runner][i] = (byte*)NativeMemory.AlignedAlloc(Contract.RecordsCapacity((nuint)largest), 64);
            }
        }
    }

    public int Count => batches.Count;

    public long Records { get; private set; }

    /// <summary>Parses every batch by every runner in turn; the ticks that each took.</summary>
    public long[][] Round(List<Runner> runners, int round)
    {
        long[][] times = new long[runners.Count][];
        for (int r = 0; r < runners.Count; r++)
        {
            times[r] = new long[Count];
        }
        Records = 0;
        Result* results = stackalloc Result[8];
        for (int b = 0; b < Count; b++)
        {
            turn++;
            for (int i = 0; i < runners.Count; i++)
            {
                int r = (i + b + round) % runners.Count;
                times[r][b] = Time(runners[r], r, b, results + r);
            }
            for (int r = 1; r < runners.Count; r++)
            {
                Compare(results, results + r, runners[r].Name, b);
            }
            Records += results->Records;
        }
        return times;
    }

    public void Dispose()
    {
        foreach (byte*[] ring in places)
        {
            foreach (byte* place in ring)
            {
                NativeMemory.AlignedFree(place);
            }
        }
        NativeMemory.AlignedFree(text - 64);
    }

    // As behind a socket: the text has just been written.
    private long Time(Runner runner, int number, int batch, Result* result)
    {
        (int at, int bytes) = batches[batch];
        file.AsSpan(at, bytes).CopyTo(new Span<byte>(text, bytes));
        byte* place = places[number][keeps ? turn % RingPlaces : 0];
        long begin = Stopwatch.GetTimestamp();
        runner.Parse(text, (nuint)bytes, place, result);
        return Stopwatch.GetTimestamp() - begin;
    }

    private static void Compare(Result* left, Result* right, string name, int batch)
    {
        if (left->Error != right->Error || left->Digest != right->Digest || left->Records != right->Records ||
            left->ErrorOffset != right->ErrorOffset || left->UsedBytes != right->UsedBytes)
        {
            throw new InvalidDataException($"batch {batch}: {name} says {right->Error} {right->Digest:x} at {right->ErrorOffset}, C# {left->Error} {left->Digest:x} at {left->ErrorOffset}");
        }
    }
}
