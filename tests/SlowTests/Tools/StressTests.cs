using Raven.Tools.Stress;

namespace SlowTests.Tools;

/// <summary>
/// The server that was built with these tests, killed in the middle of its work. <c>tools/Stress</c> does the same to
/// any build, for as long as one likes.
/// </summary>
public sealed class StressTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("raven-kill-").FullName;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "kill")]
    public Task Twenty_kills_lose_no_acknowledged_write() => RunAsync(seed: 20, rounds: 20);

    [Fact]
    [Trait(Category.Shard, "kill")]
    public Task Fifty_kills_lose_no_acknowledged_write() => RunAsync(seed: 50, rounds: 50);

    [Fact]
    [Trait(Category.Shard, "kill-calls")]
    public async Task Faults_injected_at_system_calls_lose_no_acknowledged_write()
    {
        if (!File.Exists("/usr/bin/strace"))
        {
            output.WriteLine("strace is not installed: nothing was injected (Debian: apt-get install strace)");
            return;
        }

        await RunAsync(seed: 30, rounds: 32, StressRun.StraceFaults);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "kill-calls")]
    public async Task Five_kills_lose_no_acknowledged_write_of_sixteen_writers_of_all_kinds()
    {
        StressResult result = await RunAsync(seed: 5, rounds: 5, isMixed: true);

        // All twenty databases are looked at behind both rounds that write to them and at the end: three queries each.
        Assert.Equal(3 * 20 * 3, result.Asked);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "kill-calls")]
    public Task After_three_kills_two_hundred_queries_each_find_what_a_scan_of_all_documents_finds() =>
        RunAsync(_directory, output, seed: 6, rounds: 3, [], isMixed: false, queries: 200);

    [Fact]
    [Trait(Category.Shard, "kill-lucene")]
    public Task After_twenty_five_kills_indexes_of_Lucene_find_what_a_scan_of_all_documents_finds() =>
        RunAsync(_directory, output, seed: 25, rounds: 25, [], isMixed: true, queries: 300, engine: "Lucene");

    [Fact]
    [Trait(Category.Shard, "kill-lucene-more")]
    public Task After_twenty_five_more_kills_indexes_of_Lucene_find_what_a_scan_of_all_documents_finds() =>
        RunAsync(_directory, output, seed: 26, rounds: 25, [], isMixed: false, queries: 300, engine: "Lucene");

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "kill-tls")]
    public Task Three_kills_lose_no_acknowledged_write_over_https() => RunSecuredAsync(seed: 3, rounds: 3);

    [Fact]
    [Trait(Category.Shard, "kill-tls")]
    public Task Twenty_five_kills_lose_no_acknowledged_write_over_https() => RunSecuredAsync(seed: 51, rounds: 25);

    [Fact]
    [Trait(Category.Shard, "kill-tls-more")]
    public Task Twenty_five_more_kills_lose_no_acknowledged_write_over_https() =>
        RunSecuredAsync(seed: 76, rounds: 25);

    private Task<StressResult> RunSecuredAsync(int seed, int rounds) =>
        RunAsync(_directory, output, seed, rounds, [], isMixed: true, isSecured: true);

    private Task<StressResult> RunAsync(
        int seed, int rounds, IReadOnlyList<string>? injections = null, bool isMixed = false) =>
        RunAsync(_directory, output, seed, rounds, injections ?? [], isMixed);

    internal static async Task<StressResult> RunAsync(
        string directory, ITestOutputHelper output, int seed, int rounds, IReadOnlyList<string> injections,
        bool isMixed, int queries = 0, bool isSecured = false, string? engine = null)
    {
        using var log = new StringWriter();
        StressResult result = await new StressRun(
            new StressOptions
            {
                ServerPath = typeof(Raven.Server.Program).Assembly.Location,
                DataDirectory = Path.Combine(directory, "data"),
                Seed = seed,
                Rounds = rounds,
                Injections = injections,
                IsMixed = isMixed,
                Queries = queries,
                Engine = engine,
                IsSecured = isSecured,
                Writers = isMixed ? 16 : 8,
            },
            log).RunAsync();
        output.WriteLine(log.ToString());
        output.WriteLine($"slowest start {result.SlowestStart}, {result.CrowdedRounds} rounds of many databases");
        Assert.Empty(result.Problems);
        Assert.Equal(rounds, result.Rounds);
        if (injections.Count == 0)
        {
            Assert.Equal(Enumerable.Range(0, rounds).Count(round => round % 4 is 1 or 2), result.CrowdedRounds);
            Assert.True(result.Acknowledged >= rounds * 1000L, $"only {result.Acknowledged} writes were acknowledged");
        }

        return result;
    }
}
