// SuitesTest.cs: every test of tests/differential, whose kernels are C's specification and those in C#: verdicts,
// reasons and places of rejections, records, digests and totals; forbidden pages before and behind, every alignment;
// every escape, character, pair of surrogates and malformed sequence; numbers against strtod().
using System.Collections.Generic;
using MatchRace.Tuned.Support;
using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed class SuitesTest
{
    public static IEnumerable<object[]> Names()
    {
        Foreign.Load();
        foreach (string name in Foreign.SuiteNames())
        {
            yield return [name];
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void AgreesWithTheSpecification(string suite)
    {
        Foreign.Load();
        Assert.Equal(0, Foreign.Suite(suite));
    }

    [Fact]
    public void EveryKernelOfThisMachineIsTested()
    {
        Foreign.Load();
        Assert.Contains("scalar", Foreign.KernelNames);
        Assert.Equal(Kernels.RunnableNames, Foreign.KernelNames);
    }
}
