// Runners.cs: one way to parse each.
using System;
using System.IO;
using System.Runtime.InteropServices;

using MatchRace.Tuned;

namespace Tuned.Speed;

internal abstract unsafe class Runner
{
    public abstract string Name { get; }

    public abstract void Parse(byte* json, nuint bytes, byte* records, Result* result);
}

internal sealed unsafe class ManagedRunner(string kernel) : Runner
{
    private readonly Parser parser = Parser.Create(kernel);

    public override string Name => "C#";

    public override void Parse(byte* json, nuint bytes, byte* records, Result* result) =>
        parser.Parse(json, bytes, records, result);
}

internal sealed unsafe class NativeRunner : Runner
{
    private readonly void* parser;
    private readonly delegate* unmanaged<void*, byte*, nuint, byte*, Result*, void> parse;

    public NativeRunner(string path, string kernel)
    {
        Name = Path.GetFileNameWithoutExtension(path);
        nint library = NativeLibrary.Load(Path.GetFullPath(path));
        var make = (delegate* unmanaged<nint, void*>)NativeLibrary.GetExport(library, "mr_parity_parser");
        parse = (delegate* unmanaged<void*, byte*, nuint, byte*, Result*, void>)
            NativeLibrary.GetExport(library, "mr_parity_parse");
        nint name = Marshal.StringToCoTaskMemUTF8(kernel);
        parser = make(name);
        Marshal.FreeCoTaskMem(name);
        if (parser == null)
        {
            throw new ArgumentException($"{path} has no kernel '{kernel}' for this processor");
        }
    }

    public override string Name { get; }

    public override void Parse(byte* json, nuint bytes, byte* records, Result* result) =>
        parse(parser, json, bytes, records, result);
}
