
namespace SlowTests.Tools;

/// <summary>
/// A server with everything in it, killed two hundred times: <c>tools/Stress -- kill --mixed</c>. Two shards, as none
/// takes ten minutes.
/// </summary>
public sealed class MixedKillTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("raven-kill-mixed-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    [Trait(Category.Shard, "kill-mixed")]
    public Task After_twenty_kills_a_thousand_queries_each_find_what_a_scan_of_all_documents_finds() =>
        StressTests.RunAsync(_directory, output, seed: 200, rounds: 20, [], isMixed: true, queries: 1000);

    [Fact]
    [Trait(Category.Shard, "kill-mixed")]
    public Task A_hundred_kills_lose_no_acknowledged_write_of_sixteen_writers_of_all_kinds() =>
        StressTests.RunAsync(_directory, output, seed: 100, rounds: 100, [], isMixed: true);

    [Fact]
    [Trait(Category.Shard, "kill-mixed-more")]
    public Task Eighty_more_kills_lose_no_acknowledged_write_of_sixteen_writers_of_all_kinds() =>
        StressTests.RunAsync(_directory, output, seed: 80, rounds: 80, [], isMixed: true);
}
