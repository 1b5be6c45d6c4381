using SlowTests.Cluster;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// The scenarios of <see cref="NodeClientTests"/> that are about what a database does, unchanged, sent to a node that
/// is not the primary: all of them, or a third of those about documents, queries and subscriptions.
/// </summary>
[Trait(Category.Shard, "node-follower")]
public sealed class FollowerNodeClientTests(FollowerNodeClientTests.Runs runs)
    : IClassFixture<FollowerNodeClientTests.Runs>
{
    private static readonly string[] Documents =
    [
        "bulk", "changes", "compare-exchange", "concurrency", "documents", "ids", "lazy", "patches", "queries",
        "query-features", "sessions", "static-indexes", "subscriptions",
    ];

    private static readonly string[] Others =
    [
        "answers", "attachments", "counters", "expiration", "extensions", "revisions", "rules", "smuggler",
        "time-series", "time-series-queries", "vectors",
    ];

    /// <summary>What a cluster refuses for now, one that counts the connections of a proxy before one node, and those
    /// that ask a node what it has done itself: commits of groups, queries of an index, connections for changes.
    /// </summary>
    private static readonly string[] Elsewhere =
    [
        "answers.mjs: databases are disabled and enabled with a reason",
        "answers.mjs: a compaction tells the sizes before and after",
        "answers.mjs: statistics count everything",
        "answers.mjs: indexes tell how far they are",
        "answers.mjs: changes are told with all that there is to know",
        "subscriptions.mjs: a worker behind a proxy whose connection is cut gets again what it has not acknowledged",
    ];

    /// <summary>All of them.</summary>
    public static TheoryData<string> Scenarios() => new(Of([.. Documents, .. Others]).Except(Elsewhere));

    /// <summary>Those of this commit.</summary>
    public static TheoryData<string> Third() =>
        new(Of(Documents).Where((_, number) => number % 3 == Commit.Third).Except(Elsewhere));

    [Theory]
    [MemberData(nameof(Third))]
    public async Task A_third_of_the_scenarios_passes_through_a_follower(string scenario) =>
        Assert.Null(await runs.OutcomeOfThirdAsync(scenario));

    [Theory]
    [MemberData(nameof(Scenarios))]
    public async Task The_official_Node_client_works_unchanged_through_a_follower(string scenario) =>
        Assert.Null(await runs.OutcomeOfAsync(scenario));

    private static IEnumerable<string> Of(string[] files) => NodeClientTests.All()
        .Where(scenario => files.Contains(scenario[..scenario.IndexOf(".mjs:", StringComparison.Ordinal)]));

    /// <summary>One run of all scenarios, or of a third if no more is asked for.</summary>
    public sealed class Runs
    {
        private readonly Lazy<Task<Dictionary<string, string?>>> _all = new(() => RunAsync([.. Documents, .. Others]));
        private readonly Lazy<Task<Dictionary<string, string?>>> _third =
            new(() => RunAsync(Documents, $"--third={Commit.Third}"));

        internal async Task<string?> OutcomeOfAsync(string scenario) => Of(await _all.Value, scenario);

        internal async Task<string?> OutcomeOfThirdAsync(string scenario) =>
            Of(await (_all.IsValueCreated ? _all.Value : _third.Value), scenario);

        private static string? Of(Dictionary<string, string?> outcomes, string scenario) =>
            outcomes.TryGetValue(scenario, out string? error) ? error : "The runner said nothing of this scenario.";

        private static async Task<Dictionary<string, string?>> RunAsync(string[] files, params string[] options)
        {
            await using RealCluster cluster = await RealCluster.StartAsync("--Indexing.CSharp=All");
            return await Task.Run(() => NodeClientFixture.Run(
                cluster.Processes.UrlOf("B"),
                [$"--primary={cluster.Processes.UrlOf("A")}", $"--files={string.Join(',', files)}", .. options]));
        }
    }
}
