using FastTests.Documents;
using SlowTests.Support;

namespace SlowTests.Documents;

/// <summary>
/// Twenty thousand lists of five hundred operations, in two shards: 10 million puts and deletes, ends of their
/// batches, restarts and readings of all that there is, each commit audited.
/// </summary>
public sealed class DocumentPropertyTests
{
    private const int Lists = 10_000;
    private const int Operations = 500;

    [Fact]
    [Trait(Category.Shard, "documents-lists")]
    public void After_each_list_of_operations_of_the_first_half_a_database_is_equal_to_its_model() => Check();

    [Fact]
    [Trait(Category.Shard, "documents-lists-more")]
    public void After_each_list_of_operations_of_the_second_half_a_database_is_equal_to_its_model() => Check();

    private static void Check() =>
        AllCores.ForEach(
            Enumerable.Repeat(Lists / Environment.ProcessorCount, Environment.ProcessorCount),
            lists => DocumentProperty.Check(lists, Operations));
}
