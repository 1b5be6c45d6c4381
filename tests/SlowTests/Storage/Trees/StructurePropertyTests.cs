using Shared.Storage.Structures;

namespace SlowTests.Storage.Trees;

/// <summary>
/// Twenty thousand lists of five hundred operations, four thousand on each structure of an environment: 10
/// million operations, each commit audited, while two threads read snapshots from start to end beside the writer.
/// </summary>
[Trait(Category.Shard, "trees-lists")]
public sealed class StructurePropertyTests
{
    private const int Lists = 4_000;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Any_list_of_operations_leaves_a_structure_as_its_model_says(int structure)
    {
        long readings = ModelProperty.Check(
            ModelStructure.All[structure], Lists, operations: 500, new ModelSettings(Keys: 300) { Readers = 2 });
        Console.WriteLine($"{ModelStructure.All[structure].GetType().Name}: {readings} readings beside the writer");
        Assert.True(readings > Lists, $"{readings} readings beside the writer");
    }
}
