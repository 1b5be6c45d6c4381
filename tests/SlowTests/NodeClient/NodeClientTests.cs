using System.Text.RegularExpressions;

namespace SlowTests.NodeClient;

/// <summary>
/// The official Node client (npm <c>ravendb</c>), unchanged, against the real server. The scenarios are in
/// <c>scenarios/*.mjs</c>, a file a feature; here each is one test.
/// </summary>
public sealed partial class NodeClientTests(NodeClientFixture fixture) : IClassFixture<NodeClientFixture>
{
    /// <summary>The scenarios, read off their files so that each is a test with a name.</summary>
    public static TheoryData<string> Scenarios() => new(All());

    /// <summary>Their names, in the order in which the runner has them.</summary>
    internal static IReadOnlyList<string> All()
    {
        List<string> scenarios = [];
        string folder = Path.Combine(NodeClientFixture.Folder, "scenarios");
        foreach (string path in Directory.EnumerateFiles(folder, "*.mjs").Order(StringComparer.Ordinal))
        {
            foreach (Match match in Declaration().Matches(File.ReadAllText(path)))
            {
                scenarios.Add($"{Path.GetFileName(path)}: {match.Groups["name"].Value}");
            }
        }

        return scenarios;
    }

    [Theory]
    [MemberData(nameof(Scenarios))]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public void The_official_Node_client_works_unchanged(string scenario) => Assert.Null(fixture.OutcomeOf(scenario));

    [GeneratedRegex("""^scenario\("(?<name>[^"]+)",""", RegexOptions.Multiline)]
    private static partial Regex Declaration();
}
