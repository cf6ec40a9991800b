// Parser.cs: parser objects and the choice of their kernel; parser.c.
using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace MatchRace.Tuned;

/// <summary>The inside of a parser, shared with the kernels: struct mr_parser.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ParserState
{
    /// <summary>Owned; null where the kernel needs none.</summary>
    public Scratch* Scratch;

    /// <summary>A hint for speed alone: its last chunk was full of escapes.</summary>
    public bool Dense;

    /// <summary>A hint for speed alone; 0: no batch yet.</summary>
    public uint ChunkBytes;

    /// <summary>Of the last batch, where the kernel makes them.</summary>
    public Totals Totals;
}

/// <summary>Reads exactly the texts that section 1 of docs/PROTOCOL.md accepts. One thread at a time.</summary>
public sealed unsafe class Parser : IDisposable
{
    private readonly Kernel kernel;
    private readonly byte* tables;
    private ParserState* state;

    private Parser(Kernel kernel)
    {
        this.kernel = kernel;
        tables = Tables.Base;
        state = (ParserState*)NativeMemory.AllocZeroed((nuint)sizeof(ParserState));
        if (kernel.HasScratch)
        {
            // Zeros, so that nothing that a kernel looks at beyond its entries is undefined.
            nuint bytes = (nuint)(sizeof(Scratch) + sizeof(BatchRoom));
            state->Scratch = (Scratch*)NativeMemory.AlignedAlloc(bytes, Scratch.Alignment);
            NativeMemory.Clear(state->Scratch, bytes);
        }
    }

    ~Parser() => Free();

    /// <summary>The name of the kernel that really runs.</summary>
    public string KernelName => kernel.Name;

    /// <summary>
    /// A parser by the kernel called <paramref name="kernel"/>, null: the fastest that runs here. ArgumentException:
    /// there is no such kernel. PlatformNotSupportedException: this processor lacks its instructions. Both say what
    /// there is.
    /// </summary>
    public static Parser Create(string? kernel)
    {
        Kernel found = Kernels.Find(kernel)
            ?? throw new ArgumentException($"no kernel '{kernel}'; there are: {string.Join(", ", Kernels.Names)}");
        if (!found.Supported)
        {
            throw new PlatformNotSupportedException($"kernel '{found.Name}' needs {found.Needs}; this processor, or the runtime's configuration, lacks some of these");
        }
        return new Parser(found);
    }

    /// <summary>
    /// Parses one batch. <paramref name="json"/>: <paramref name="jsonBytes"/> bytes with Contract.PadFront readable
    /// bytes before and Contract.PadBack behind; not changed. <paramref name="recordsOut"/>:
    /// Contract.RecordsCapacity(jsonBytes) writable bytes, aligned to 8, not overlapping the text; on rejection its
    /// content is undefined.
    /// </summary>
    public void Parse(byte* json, nuint jsonBytes, byte* recordsOut, Result* resultOut)
    {
        if (state == null || json == null || resultOut == null || recordsOut == null || (nuint)recordsOut % 8 != 0)
        {
            Refuse();
        }
        kernel.Parse(state, json, jsonBytes, recordsOut, resultOut, tables);
        GC.KeepAlive(this);
    }

    public void Dispose()
    {
        Free();
        GC.SuppressFinalize(this);
    }

    [DoesNotReturn]
    private static void Refuse() => throw new ArgumentException("a pointer is null, not aligned, or the parser was disposed");

    private void Free()
    {
        if (state != null)
        {
            NativeMemory.AlignedFree(state->Scratch);
            NativeMemory.Free(state);
            state = null;
        }
    }
}
