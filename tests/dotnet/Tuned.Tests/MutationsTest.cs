// MutationsTest.cs: a short seeded run of what Tuned.Fuzz does for longer.
using MatchRace.Tuned.Support;
using Xunit;

namespace MatchRace.Tuned.Tests;

public sealed class MutationsTest
{
    private const ulong Executions = 200000;

    [Fact]
    public void ChangedBatchesAreReadAsBySpecification()
    {
        Foreign.Load();
        using Mutations mutations = new(20261201, []);
        Assert.True(mutations.Seeds > 1000);
        Difference? difference = mutations.Run(Executions, double.PositiveInfinity);
        Assert.Null(difference);
        Assert.Equal(Executions, mutations.Executions);
    }
}
