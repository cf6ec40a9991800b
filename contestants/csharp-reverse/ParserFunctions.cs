using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using MatchRace.Tuned;

namespace MatchRace.Reverse;

// The functions of struct mr_contestant, called by threads that C made. An exception would have nobody to go to: what can
// be refused is refused as serve.h says, anything else ends the process.
internal static unsafe class ParserFunctions
{
    private const int ErrorNoEntry = -2;
    private const int ErrorNotSupported = -95;

    private sealed record Held(Parser Parser, nint KernelName);

    [UnmanagedCallersOnly]
    public static int Create(NativeOptions* options, nint* parser)
    {
        try
        {
            Parser made = Parser.Create(Marshal.PtrToStringUTF8((nint)options->Kernel));
            Held held = new(made, (nint)NativeServe.Text(made.KernelName));
            *parser = GCHandle.ToIntPtr(GCHandle.Alloc(held));
            return 0;
        }
        catch (ArgumentException)
        {
            return ErrorNoEntry;
        }
        catch (PlatformNotSupportedException)
        {
            return ErrorNotSupported;
        }
    }

    [UnmanagedCallersOnly]
    public static void Destroy(nint parser)
    {
        HeldBy(parser).Parser.Dispose();
        GCHandle.FromIntPtr(parser).Free();
    }

    // The fields of Result are those of struct mr_result.
    [UnmanagedCallersOnly]
    public static void Parse(nint parser, NativePayload* payload, byte* records, Result* result) =>
        HeldBy(parser).Parser.Parse(payload->Json, payload->JsonBytes, records, result);

    [UnmanagedCallersOnly]
    public static byte* Kernel(nint parser) => (byte*)HeldBy(parser).KernelName;

    [UnmanagedCallersOnly]
    public static nuint Libraries(nint parser, NativeLibraryText* libraries)
    {
        System.Reflection.Assembly[] assemblies = [typeof(Parser).Assembly, typeof(object).Assembly];
        for (int i = 0; i < assemblies.Length; i++)
        {
            libraries[i] = new NativeLibraryText
            {
                Name = NativeServe.Text(assemblies[i].GetName().Name!),
                Version = NativeServe.Text(assemblies[i].GetName().Version!.ToString(3)),
                Path = NativeServe.Text(assemblies[i].Location),
            };
        }
        return (nuint)assemblies.Length;
    }

    private static Held HeldBy(nint parser) => Unsafe.As<Held>(GCHandle.FromIntPtr(parser).Target!);
}
