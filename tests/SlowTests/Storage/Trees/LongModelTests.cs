using Shared.Storage.Structures;

namespace SlowTests.Storage.Trees;

/// <summary>
/// A million operations on each structure, over commits, rollbacks, flushes and opens, with old
/// snapshots read again and another thread that reads beside the writer.
/// </summary>
[Trait(Category.Shard, "trees")]
public sealed class LongModelTests
{
    private const int Operations = 500_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Trees_equal_their_model(int seed) => Run(new LongStructureModel(seed, ModelStructure.Tree));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Fixed_trees_equal_their_model(int seed) => Run(new LongStructureModel(seed, ModelStructure.Others[0]));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Multi_value_trees_equal_their_model(int seed) => Run(new LongMultiTreeModel(seed));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Tables_equal_their_model(int seed) => Run(new LongTableModel(seed));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Streams_equal_their_model(int seed) => Run(new LongStreamModel(seed));

    private static void Run<TState>(LongModel<TState> model)
    {
        using (model)
        {
            model.Run(Operations);
            Assert.True(model.Opens > 20, $"{model.Opens} opens");
            Assert.True(model.Readings > 50, $"{model.Readings} readings beside the writer");
        }
    }
}
