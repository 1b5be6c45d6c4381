using FastTests.Documents;

namespace SlowTests.Documents;

/// <summary>Five hundred lists of two hundred batches, each of some documents, and restarts (T5).</summary>
[Trait(Category.Shard, "documents-lists")]
public sealed class DocumentPropertyTests
{
    [Fact]
    public void Any_list_of_batches_leaves_the_database_as_the_model_says() =>
        DocumentProperty.Check(lists: 500, steps: 200);
}
