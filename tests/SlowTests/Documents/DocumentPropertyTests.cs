using FastTests.Documents;
using SlowTests.Support;

namespace SlowTests.Documents;

/// <summary>
/// Twenty thousand lists of five hundred operations (T5), in two shards: 10 million puts and deletes, ends of their
/// batches, restarts and readings of all that there is, each commit audited.
/// </summary>
public sealed class DocumentPropertyTests
{
    private const int Lists = 10_000;
    private const int Operations = 500;

    [Fact]
    [Trait(Category.Shard, "documents-lists")]
    public void The_first_half_of_the_lists_leaves_the_database_as_the_model_says() => Check();

    [Fact]
    [Trait(Category.Shard, "documents-lists-more")]
    public void The_second_half_of_the_lists_leaves_the_database_as_the_model_says() => Check();

    private static void Check() =>
        AllCores.ForEach(
            Enumerable.Repeat(Lists / Environment.ProcessorCount, Environment.ProcessorCount),
            lists => DocumentProperty.Check(lists, Operations));
}
