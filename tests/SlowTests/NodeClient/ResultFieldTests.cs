using System.Globalization;
using System.Text.Json;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// Every field that an answer promises (<c>fields.mjs</c>) is missed by a scenario when it is left out: a server in
/// front of the server leaves out one at a time (<c>dropping.mjs</c>), and the scenario that <c>fields.json</c> names
/// for it has to fail. If an answer has no fields, the connections of its route are cut instead. <c>node dropping.mjs
/// URL find</c> rewrites <c>fields.json</c>.
/// </summary>
public sealed class ResultFieldTests
{
    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(9);
    private static readonly TimeSpan SampleLimit = TimeSpan.FromMinutes(4);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public void A_scenario_of_the_Node_client_fails_for_each_of_a_sample_of_omitted_result_fields() =>
        Check(every: 10, SampleLimit);

    [Fact]
    [Trait(Category.Shard, "node")]
    public void A_scenario_of_the_Node_client_fails_for_every_omitted_result_field() => Check(every: 1, RunLimit);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public void Every_served_route_has_its_result_fields_or_is_listed_as_having_none()
    {
        HashSet<string> known = [];
        (int code, string errors) = NodeProgram.Run(
            NodeClientFixture.Folder, ["dropping.mjs", "none", "routes"], RunLimit, line => known.Add(line));
        Assert.True(code == 0, errors);
        string golden = Path.Combine(NodeProgram.Root, "tests", "FastTests", "Architecture", "Routes.golden");
        string[] served = [.. File.ReadLines(golden)
            .Where(line => line.Length > 0 && !line.Contains("NotServedHandler", StringComparison.Ordinal))
            .Select(line => string.Join(' ', line.Split(' ').Take(2)))
            .Select(route => route is "GET /databases/*/changes" or "GET /databases/*/subscriptions/ws"
                ? $"WS{route[3..]}" : route)];
        Assert.Empty(served.Except(known));
        Assert.Empty(known.Where(route => !route.StartsWith("* *", StringComparison.Ordinal)).Except(served));
    }

    private static void Check(int every, TimeSpan limit)
    {
        using ServerProcess server = NodeClientFixture.StartServer();
        int checkedFields = 0;
        List<string> findings = [];
        (int code, string errors) = NodeProgram.Run(
            NodeClientFixture.Folder,
            ["dropping.mjs", server.Url, "check", every.ToString(CultureInfo.InvariantCulture)], limit, line =>
            {
                using JsonDocument result = JsonDocument.Parse(line);
                checkedFields++;
                if (result.RootElement.GetProperty("error").GetString() is { } error)
                {
                    findings.Add($"{result.RootElement.GetProperty("field").GetString()}: {error}");
                }
            });
        Assert.True(code == 0, errors);
        Assert.Empty(findings);
        Assert.True(checkedFields > 750 / every, $"only {checkedFields} fields");
    }
}
