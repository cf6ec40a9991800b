using System;
using System.Runtime.InteropServices;
using Xunit;

namespace MatchRace.Record.Tests;

// The native library is the one that the assembly was written for, and another one is refused.
public sealed unsafe class LayoutTests
{
    [Fact]
    public void TheLibraryAgrees() => Assert.Null(NativeLayout.Compare(*Native.Abi(), NativeLayout.Expected));

    [Fact]
    public void AnyDifferenceIsSeen()
    {
        for (int field = 0; field < sizeof(NativeAbi) / sizeof(uint); field++)
        {
            NativeAbi other = NativeLayout.Expected;
            MemoryMarshal.Cast<NativeAbi, uint>(new Span<NativeAbi>(ref other))[field] += 8;
            Assert.Contains(field == 0 ? "version 8" : $"field {field} ", NativeLayout.Compare(other, NativeLayout.Expected)!,
                            StringComparison.Ordinal);
        }
    }

    [Fact]
    public void ThePathIsThatOfTheLibraryLoaded() =>
        Assert.EndsWith("/libmatchrace.so", BatchParser.NativeLibraryPath, StringComparison.Ordinal);
}
