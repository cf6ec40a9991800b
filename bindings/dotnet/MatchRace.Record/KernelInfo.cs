using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace MatchRace.Record;

/// <summary>One of the parser's kernels: ways to do the same work, by instruction set.</summary>
/// <param name="Name">The name that <see cref="BatchParser(string)"/> takes.</param>
/// <param name="Needs">The instruction sets that it needs, for people; empty for none.</param>
/// <param name="IsSupported">Whether this machine can run it.</param>
public sealed record KernelInfo(string Name, string Needs, bool IsSupported)
{
    /// <summary>The kernels of the native library; the slowest, which is the specification of all, is the first.</summary>
    /// <exception cref="System.DllNotFoundException">The native library is not there.</exception>
    /// <exception cref="System.NotSupportedException">The native library is of another version.</exception>
    public static unsafe IReadOnlyList<KernelInfo> BuiltIn
    {
        get
        {
            NativeLayout.Check();
            KernelInfo[] kernels = new KernelInfo[Native.KernelCount()];
            for (int i = 0; i < kernels.Length; i++)
            {
                NativeKernelInfo native = Native.KernelByIndex((nuint)i);
                kernels[i] = new KernelInfo(Marshal.PtrToStringUTF8((nint)native.Name)!,
                                            Marshal.PtrToStringUTF8((nint)native.Needs)!, native.Supported != 0);
            }
            return kernels;
        }
    }

    /// <summary>Its name.</summary>
    public override string ToString() => Name;
}
