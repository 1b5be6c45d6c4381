using FastTests.Scripting;

namespace SlowTests.Scripting;

/// <summary>All scripts whose answers of node are kept beside the fast tests.</summary>
[Trait(Category.Shard, "scripting-oracle")]
[Trait(Category.Run, Category.Ci)]
public sealed class RecordedOracleTests
{
    [Fact]
    public void Generated_scripts_give_what_node_gave() => NodeAnswers.Compare(first: 1, step: 1);
}
