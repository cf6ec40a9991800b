// Parity.cs: libmr_parity.so (tests/dotnet/parity): what C's AVX2 kernel makes on its way.
using System;
using System.IO;
using System.Runtime.InteropServices;

using MatchRace.Tuned.Support;

namespace MatchRace.Tuned.Tests;

/// <summary>struct mr_parity_scan.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ParityScan
{
    public ulong Count;
    public ulong DirtyFrom;
    public ulong EscapesFrom;
    public ulong EscapedBlocks;
    public ulong Outside;
    public ulong BeyondAscii;
    public ulong Units;
}

internal static unsafe class Parity
{
    private static readonly nint Library = NativeLibrary.Load(FindLibrary());

    private static readonly delegate* unmanaged<nuint> ScratchBytesOf =
        (delegate* unmanaged<nuint>)NativeLibrary.GetExport(Library, "mr_parity_scratch_bytes");

    private static readonly delegate* unmanaged<byte*, nuint, Scratch*, ParityScan*, void> ScanOf =
        (delegate* unmanaged<byte*, nuint, Scratch*, ParityScan*, void>)NativeLibrary.GetExport(Library, "mr_parity_scan");

    private static readonly delegate* unmanaged<byte**, byte**, byte*, byte, Record*, byte> NumbersOf =
        (delegate* unmanaged<byte**, byte**, byte*, byte, Record*, byte>)
            NativeLibrary.GetExport(Library, "mr_parity_numbers");

    /// <summary>The bytes of struct mr_scratch.</summary>
    public static nuint ScratchBytes => ScratchBytesOf();

    /// <summary>Passes 1 and 2 of C.</summary>
    public static ParityScan Scan(byte* text, nuint bytes, Scratch* scratch)
    {
        ParityScan scan;
        ScanOf(text, bytes, scratch, &scan);
        return scan;
    }

    /// <summary>The three numbers of a record by C, those for plain records included.</summary>
    public static bool Numbers(byte** at, byte** end, byte* textEnd, bool isShort, Record* head) =>
        NumbersOf(at, end, textEnd, isShort ? (byte)1 : (byte)0, head) != 0;

    private static string FindLibrary()
    {
        string path = Environment.GetEnvironmentVariable("MR_PARITY")
            ?? Path.Combine(Foreign.Root, "build/release/tests/dotnet/parity/libmr_parity.so");
        return File.Exists(path) ? path : throw new FileNotFoundException(
            $"{path} is not there: cmake --preset release && cmake --build --preset release --target mr_parity");
    }
}
