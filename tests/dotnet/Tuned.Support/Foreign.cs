// Foreign.cs: libmr_foreign.so (tests/dotnet/native): C's specification and tests, with the C# kernels as kernels.
using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]

namespace MatchRace.Tuned.Support;

/// <summary>C's side. Load() comes first.</summary>
public static unsafe partial class Foreign
{
    private const string Library = "mr_foreign";
    private const int KernelsMax = 6;

    private static readonly List<string> Registered = [];
    private static readonly object Gate = new();

    [ThreadStatic]
    private static Parser?[]? parsers;

    [ThreadStatic]
    private static Totals* totals;

    /// <summary>The root of the tree.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The C# kernels that this machine runs, as C's tests call them: "csharp-scalar".</summary>
    public static IReadOnlyList<string> KernelNames => Registered;

    /// <summary>
    /// Loads the library and registers every kernel that this machine runs, or only the one called
    /// <paramref name="only"/>. FileNotFoundException says how to build the library.
    /// </summary>
    public static void Load(string? only = null)
    {
        lock (Gate)
        {
            if (Registered.Count > 0)
            {
                return;
            }
            string path = Environment.GetEnvironmentVariable("MR_FOREIGN")
                ?? Path.Combine(Root, "build/release/tests/dotnet/native/libmr_foreign.so");
            if (!File.Exists(path))
            {
                throw new FileNotFoundException(
                    $"{path} is not there: cmake --preset release && cmake --build --preset release --target mr_foreign");
            }
            nint library = NativeLibrary.Load(path);
            NativeLibrary.SetDllImportResolver(typeof(Foreign).Assembly,
                (name, _, _) => name == Library ? library : 0);
            Register(only);
        }
    }

    private static void Register(string? only)
    {
        delegate* unmanaged[Cdecl]<byte*, nuint, byte*, Result*, void>[] entries =
            [&Parse0, &Parse1, &Parse2, &Parse3, &Parse4, &Parse5];
        foreach (string name in Kernels.RunnableNames)
        {
            if (only != null && only != name)
            {
                continue;
            }
            if (Registered.Count == KernelsMax)
            {
                throw new InvalidOperationException("more kernels than places");
            }
            // C keeps the name for good.
            AddKernel((byte*)Marshal.StringToCoTaskMemUTF8("csharp-" + name), entries[Registered.Count]);
            Registered.Add(name);
        }
        if (Registered.Count == 0)
        {
            throw new ArgumentException($"this machine runs no kernel '{only}'");
        }
    }

    private static string FindRoot()
    {
        for (string? folder = AppContext.BaseDirectory; folder != null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "Directory.Packages.props")))
            {
                return folder;
            }
        }
        throw new DirectoryNotFoundException("not below the tree of the lab");
    }

    private static void Parse(int index, byte* json, nuint jsonBytes, byte* recordsOut, Result* resultOut)
    {
        parsers ??= new Parser?[KernelsMax];
        Parser parser = parsers[index] ??= Parser.Create(Registered[index]);
        parser.Parse(json, jsonBytes, recordsOut, resultOut);
        if (resultOut->Error == Error.Ok && resultOut->Totals == null)
        {
            resultOut->Totals = MakeTotals(resultOut, recordsOut, jsonBytes);
        }
    }

    // As the contestant does where a kernel makes no totals; C compares them with its own.
    private static Totals* MakeTotals(Result* result, byte* records, nuint jsonBytes)
    {
        if (totals == null)
        {
            totals = (Totals*)NativeMemory.Alloc((nuint)sizeof(Totals));
        }
        *totals = default;
        Totaling.Accept(totals, records, result->Records, result->Digest, jsonBytes);
        return totals;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse0(byte* json, nuint bytes, byte* to, Result* result) => Parse(0, json, bytes, to, result);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse1(byte* json, nuint bytes, byte* to, Result* result) => Parse(1, json, bytes, to, result);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse2(byte* json, nuint bytes, byte* to, Result* result) => Parse(2, json, bytes, to, result);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse3(byte* json, nuint bytes, byte* to, Result* result) => Parse(3, json, bytes, to, result);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse4(byte* json, nuint bytes, byte* to, Result* result) => Parse(4, json, bytes, to, result);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Parse5(byte* json, nuint bytes, byte* to, Result* result) => Parse(5, json, bytes, to, result);

    [LibraryImport(Library, EntryPoint = "mr_foreign_kernel")]
    private static partial void AddKernel(byte* name, delegate* unmanaged[Cdecl]<byte*, nuint, byte*, Result*, void> parse);

    [LibraryImport(Library, EntryPoint = "mr_foreign_suite")]
    private static partial int RunSuite(byte* name);

    [LibraryImport(Library, EntryPoint = "mr_foreign_suite_name")]
    private static partial byte* SuiteName(nuint index);

    /// <summary>A checker for texts of up to so many bytes; ends with CheckerEnd().</summary>
    [LibraryImport(Library, EntryPoint = "mr_foreign_checker")]
    public static partial void* Checker(nuint jsonBytesMax);

    [LibraryImport(Library, EntryPoint = "mr_foreign_checker_end")]
    public static partial void CheckerEnd(void* checker);

    [LibraryImport(Library, EntryPoint = "mr_foreign_check")]
    private static partial byte* CheckAll(void* checker, byte* json, nuint jsonBytes);

    [LibraryImport(Library, EntryPoint = "mr_foreign_same")]
    private static partial byte* CheckKernels(void* checker, byte* json, nuint jsonBytes);

    [LibraryImport(Library, EntryPoint = "mr_foreign_table")]
    private static partial byte* FindTable(byte* name, nuint* bytesOut);

    /// <summary>Sizes and offsets, see foreign_kernels.h; room for 32.</summary>
    [LibraryImport(Library, EntryPoint = "mr_foreign_layout")]
    public static partial nuint Layout(uint* layoutOut);

    /// <summary>XXH3_64bits() of C.</summary>
    [LibraryImport(Library, EntryPoint = "mr_foreign_xxh3")]
    public static partial ulong Xxh3(byte* bytes, nuint count);

    /// <summary>Changes a batch in one way, as its grammar has it; the new number of bytes.</summary>
    [LibraryImport(Library, EntryPoint = "mr_mutate")]
    public static partial nuint Mutate(byte* bytes, nuint count, nuint countMax, ulong seed);

    /// <summary>Puts the records of another batch in front; the new number of bytes.</summary>
    [LibraryImport(Library, EntryPoint = "mr_cross")]
    public static partial nuint Cross(byte* bytes, nuint count, nuint countMax, byte* other, nuint otherCount, ulong seed);

    /// <summary>The programs of tests/differential that are in the library.</summary>
    public static IEnumerable<string> SuiteNames()
    {
        List<string> names = [];
        for (nuint i = 0; SuiteName(i) != null; i++)
        {
            names.Add(Marshal.PtrToStringUTF8((nint)SuiteName(i))!);
        }
        return names;
    }

    /// <summary>Runs one; the number of its tests that failed. It prints to the program's own outputs.</summary>
    public static int Suite(string name)
    {
        nint text = Marshal.StringToCoTaskMemUTF8(name);
        try
        {
            int failed = RunSuite((byte*)text);
            return failed >= 0 ? failed : throw new ArgumentException($"no suite {name}");
        }
        finally
        {
            Marshal.FreeCoTaskMem(text);
        }
    }

    /// <summary>
    /// The text through all kernels, between forbidden pages, and where <paramref name="oracle"/> is true through the
    /// oracle too. Null, or what is wrong.
    /// </summary>
    public static string? Check(void* checker, byte* json, nuint jsonBytes, bool oracle) =>
        Marshal.PtrToStringUTF8((nint)(oracle ? CheckAll(checker, json, jsonBytes) : CheckKernels(checker, json, jsonBytes)));

    /// <summary>A table of the C parser as it lies in memory.</summary>
    public static ReadOnlySpan<byte> Table(string name)
    {
        nint text = Marshal.StringToCoTaskMemUTF8(name);
        nuint bytes;
        byte* table = FindTable((byte*)text, &bytes);
        Marshal.FreeCoTaskMem(text);
        return table != null ? new ReadOnlySpan<byte>(table, (int)bytes) : throw new ArgumentException($"no table {name}");
    }
}
