using FastTests.Storage.Tables;
using FastTests.Storage.Trees;
using FastTests.Support;

namespace SlowTests.Storage.Trees;

/// <summary>
/// The models of the fast tests at length: together more than 10 million operations, with old snapshots read again.
/// </summary>
[Trait(Category.Shard, "trees")]
public sealed class StructureModelTests
{
    [Theory]
    [InlineData("random")]
    [InlineData("decimal")]
    [InlineData("long")]
    [InlineData("short")]
    [InlineData("composite")]
    public void Trees_equal_their_model(string shape)
    {
        for (int seed = 1_000; seed < 1_250; seed++)
        {
            new TreeModel(seed, shape).Run(transactions: 8, operationsMax: 1_000);
        }
    }

    [Theory]
    [InlineData(8, 3_000)]
    [InlineData(0, 100_000)]
    [InlineData(256, 800)]
    [InlineData(5, long.MaxValue)]
    public void Fixed_trees_equal_their_model(int valueSize, long keyRange)
    {
        for (int seed = 1_000; seed < 1_250; seed++)
        {
            new FixedTreeModel(seed, valueSize, keyRange).Run(transactions: 8, operationsMax: 1_000);
        }
    }

    [Theory]
    [InlineData(40)]
    [InlineData(1_200)]
    [InlineData(5_000)]
    public void Row_heaps_equal_their_model(int rowSizeMax)
    {
        for (int seed = 1_000; seed < 1_150; seed++)
        {
            new RowHeapModel(seed, rowSizeMax).Run(transactions: 8, operationsMax: 1_000);
        }
    }

    [Theory]
    [Trait(Category.Run, Category.Ci)]
    [InlineData(1_000, 10)]
    public void Environments_equal_their_model(int firstSeed, int seeds)
    {
        for (int seed = firstSeed; seed < firstSeed + seeds; seed++)
        {
            using var model = new EnvironmentModel(seed);
            model.Run(transactions: 80, operationsMax: 250);
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Damaged_pages_are_never_read_past_their_ends(int seed) => new DamageRun(seed).Run(iterations: 25_000);
}
