using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace MatchRace.Record;

// Owns a struct mr_parser. It is freed when nobody uses it any more: a call that runs while another thread disposes of the
// parser ends first.
internal sealed unsafe class ParserHandle : SafeHandleZeroOrMinusOneIsInvalid
{
    private const int ErrorNoEntry = 2;
    private const int ErrorNoMemory = 12;
    private const int ErrorNotSupported = 95;

    private ParserHandle(nint parser)
        : base(ownsHandle: true) => SetHandle(parser);

    internal static ParserHandle Create(string? kernel)
    {
        NativeLayout.Check();
        nint parser = 0;
        int failed;
        fixed (byte* name = kernel is null ? null : Encoding.UTF8.GetBytes(kernel + '\0'))
        {
            failed = Native.ParserCreate(name, &parser);
        }
        return failed == 0 ? new ParserHandle(parser) : throw Failure(-failed, kernel);
    }

    protected override bool ReleaseHandle()
    {
        Native.ParserDestroy(handle);
        return true;
    }

    private static Exception Failure(int error, string? kernel) => error switch
    {
        ErrorNoEntry => new ArgumentException(
            $"there is no kernel '{kernel}'; there are {string.Join(", ", KernelInfo.BuiltIn)}", nameof(kernel)),
        ErrorNotSupported => new PlatformNotSupportedException($"this machine cannot run the kernel '{kernel}'"),
        ErrorNoMemory => new InsufficientMemoryException("there is no memory for a parser"),
        _ => new Win32Exception(error),
    };
}
