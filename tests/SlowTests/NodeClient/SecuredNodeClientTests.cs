using SlowTests.Security;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// The scenarios of <see cref="NodeClientTests"/>, unchanged, over https with a certificate: a third of them in CI,
/// another with the next commit.
/// </summary>
[Trait(Category.Shard, "node-tls")]
public sealed class SecuredNodeClientTests(SecuredNodeClientTests.Runs runs)
    : IClassFixture<SecuredNodeClientTests.Runs>
{
    /// <summary>All scenarios.</summary>
    public static TheoryData<string> Scenarios() => NodeClientTests.Scenarios();

    /// <summary>Those of this commit.</summary>
    public static TheoryData<string> Third() =>
        new(NodeClientTests.All().Where((_, number) => number % 3 == Commit.Third));

    [Theory]
    [MemberData(nameof(Third))]
    [Trait(Category.Run, Category.Ci)]
    public void A_third_of_the_scenarios_passes_over_https(string scenario) =>
        Assert.Null(runs.OutcomeOfThird(scenario));

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void The_official_Node_client_works_unchanged_over_https(string scenario) =>
        Assert.Null(runs.OutcomeOf(scenario));

    /// <summary>One run of all scenarios, or of a third if no more is asked for.</summary>
    public sealed class Runs
    {
        private readonly Lazy<Dictionary<string, string?>> _all = new(() => Run());
        private readonly Lazy<Dictionary<string, string?>> _third = new(() => Run($"--third={Commit.Third}"));

        internal string? OutcomeOf(string scenario) => Of(_all.Value, scenario);

        internal string? OutcomeOfThird(string scenario) =>
            Of(_all.IsValueCreated ? _all.Value : _third.Value, scenario);

        private static string? Of(Dictionary<string, string?> outcomes, string scenario) =>
            outcomes.TryGetValue(scenario, out string? error) ? error : "The runner said nothing of this scenario.";

        private static Dictionary<string, string?> Run(params string[] options)
        {
            using var server = new SecuredProcess("--Indexing.CSharp=All");
            return NodeClientFixture.Run(server.Url, [$"--certificates={server.Files}", .. options]);
        }
    }
}
