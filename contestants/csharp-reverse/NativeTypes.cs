using System.Runtime.InteropServices;
using MatchRace.Tuned;

namespace MatchRace.Reverse;

// struct mr_payload.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativePayload
{
    public byte* Json;
    public nuint JsonBytes;
    public byte Writable;
}

// struct mr_library.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeLibraryText
{
    public byte* Name;
    public byte* Version;
    public byte* Path;
}

// struct mr_parser_options.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeOptions
{
    public byte* Kernel;
}

// struct mr_contestant.
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct NativeContestant
{
    public byte* Name;
    public byte* Version;
    public byte* Language;
    public byte* BuildFlags;
    public byte* KernelsHelp;
    public delegate* unmanaged<NativeOptions*, nint*, int> Create;
    public delegate* unmanaged<nint, void> Destroy;
    public delegate* unmanaged<nint, NativePayload*, byte*, Result*, void> Parse;
    public delegate* unmanaged<nint, byte*> Kernel;
    public delegate* unmanaged<nint, NativeLibraryText*, nuint> Libraries;
}
