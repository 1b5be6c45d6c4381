namespace SlowTests.Cluster;

/// <summary>The same histories as <see cref="ClusterHistoriesTests"/>, short ones.</summary>
[Trait(Category.Shard, "cluster-servers")]
[Trait(Category.Run, Category.Ci)]
public sealed class ShortClusterHistoriesTests(ITestOutputHelper output) : HistoryTestsBase(output)
{
    [Theory]
    [InlineData(101)]
    [InlineData(102)]
    [InlineData(103)]
    [InlineData(104)]
    [InlineData(105)]
    [InlineData(106)]
    public async Task A_few_seconds_of_faults_break_no_promise(int seed) =>
        Assert.Empty((await RunAsync(seed, TimeSpan.FromSeconds(15))).Problems);
}
