// Kernels.cs: the table of kernels: the ways to parse, by instruction set; kernels.c.
using System;

using MatchRace.Tuned.Avx2Kernel;

namespace MatchRace.Tuned;

/// <summary>A kernel. All give the same results as "scalar", error code, record and offset included.</summary>
internal sealed unsafe class Kernel
{
    public required string Name { get; init; }

    /// <summary>Instruction sets, for people; "" for none.</summary>
    public required string Needs { get; init; }

    public required bool Supported { get; init; }

    public required bool HasScratch { get; init; }

    /// <summary>As Parser.Parse(); the state is the parser's own, and the last argument is Tables.Base.</summary>
    public required delegate*<ParserState*, byte*, nuint, byte*, Result*, byte*, void> Parse { get; init; }
}

public static unsafe class Kernels
{
    /// <summary>From the slowest to the fastest; the specification is the first.</summary>
    internal static readonly Kernel[] All =
    [
        new() { Name = "scalar", Needs = "", Supported = true, HasScratch = false, Parse = &RecordScalar.Parse },
        new()
        {
            Name = "avx2",
            Needs = "AVX2, BMI1, BMI2, LZCNT, PCLMUL",
            Supported = RecordAvx2.IsSupported,
            HasScratch = true,
            Parse = &RecordAvx2.Parse,
        },
    ];

    /// <summary>The words that --kernel takes.</summary>
    public static string[] Names => Array.ConvertAll(All, kernel => kernel.Name);

    /// <summary>Those of them that this machine runs.</summary>
    public static string[] RunnableNames =>
        Array.ConvertAll(Array.FindAll(All, kernel => kernel.Supported), kernel => kernel.Name);

    /// <summary>The kernel called so, supported or not; the fastest that runs here when null. Null: none.</summary>
    internal static Kernel? Find(string? name) =>
        Array.FindLast(All, kernel => name == null ? kernel.Supported : kernel.Name == name);
}
