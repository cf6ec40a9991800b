// ParserTest.cs: the choice of a kernel, and what a parser refuses.
using System;
using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed unsafe class ParserTest
{
    [Fact]
    public void TheFastestKernelIsTheChoiceOfItsOwn()
    {
        using Parser parser = Parser.Create(null);
        Assert.Equal(Kernels.RunnableNames[^1], parser.KernelName);
    }

    [Fact]
    public void AKernelThatIsNotThereIsNamedWithThoseThatAre()
    {
        ArgumentException error = Assert.Throws<ArgumentException>(() => Parser.Create("mmx"));
        Assert.Contains("mmx", error.Message, StringComparison.Ordinal);
        Assert.Contains("scalar", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AKernelThatThisMachineLacksIsAnotherError()
    {
        foreach (Kernel kernel in Kernels.All)
        {
            if (kernel.Supported)
            {
                using Parser parser = Parser.Create(kernel.Name);
                Assert.Equal(kernel.Name, parser.KernelName);
                continue;
            }
            var error = Assert.Throws<PlatformNotSupportedException>(() => Parser.Create(kernel.Name));
            Assert.Contains(kernel.Needs, error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void ADisposedParserAndBadPointersAreRefused()
    {
        ulong[] memory = new ulong[64];
        Parser parser = Parser.Create("scalar");
        fixed (ulong* begin = memory)
        {
            byte* place = (byte*)begin;
            Result result;
            Assert.Throws<ArgumentException>(() => { Result other; parser.Parse(null, 0, (byte*)8, &other); });
            bool refused = false;
            try
            {
                parser.Parse(place + 64, 2, place + 129, &result);
            }
            catch (ArgumentException)
            {
                refused = true;
            }
            Assert.True(refused);
            parser.Dispose();
            Assert.Throws<ArgumentException>(() => { Result other; parser.Parse((byte*)64, 0, (byte*)8, &other); });
        }
    }
}
