using System;
using System.Collections.Generic;
using System.Reflection;

namespace MatchRace.Common;

/// <summary>A library that does the contestant's work, for WELCOME; the path is of the file really loaded.</summary>
public sealed record Library(string Name, string Version, string Path);

/// <summary>What the command line says about the parser. Kernel: --kernel, or null, the best that runs here.</summary>
public sealed record ParserOptions(string? Kernel);

/// <summary>Thrown by <see cref="Contestant{TParser,TPlace}.CreateParser"/>.</summary>
public sealed class KernelException(string message, bool isKnown) : Exception(message)
{
    /// <summary>True: there is such a kernel, and this machine can't run it (exit code 1). False: no such (2).</summary>
    public bool IsKnown { get; } = isKnown;
}

/// <summary>A contestant: what <see cref="ContestantMain"/> needs to serve it.</summary>
public sealed class Contestant<TParser, TPlace>
    where TParser : struct, IBatchParser<TPlace>
    where TPlace : KeptPlace
{
    public required string Name { get; init; }

    public string Language { get; init; } = "C#";

    /// <summary>The words that --kernel takes, for --help; null: it takes none.</summary>
    public string? KernelsHelp { get; init; }

    /// <summary>Makes a parser; called once for each that may parse at the same time.</summary>
    public required Func<ParserOptions, TParser> CreateParser { get; init; }

    /// <summary>Makes an empty place for a mode (totals, keep or fresh).</summary>
    public required Func<Mode, TPlace> CreatePlace { get; init; }

    /// <summary>The assemblies that do the contestant's work, beside its own and the runtime's.</summary>
    public IReadOnlyList<Assembly> Assemblies { get; init; } = [];

    /// <summary>Native libraries that do the contestant's work.</summary>
    public Func<IEnumerable<Library>> NativeLibraries { get; init; } = () => [];
}
