using System.Net;
using System.Text;
using FastTests.Architecture;
using Raven.Server.Http.Routing;

namespace FastTests.Server;

/// <summary>
/// Each method and path that the official Node client sends is answered, or refused as what is not served: its commands
/// take a 404 for an empty result, and some even for success.
/// </summary>
public sealed class ClientRequestsTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const int Count = 169;
    private const string Begin = "<!-- begin: requests of the Node client, made by ClientRequestsTests -->\n";
    private const string End = "<!-- end -->";

    [Fact]
    public void The_list_is_whole() => Assert.Equal(Count, Requests().Select(one => one.Name).Distinct().Count());

    [Fact]
    public async Task None_of_the_requests_meets_a_missing_route()
    {
        foreach ((_, string name, Route? route) in Requests())
        {
            Assert.True(route is not null, $"{name} has no route.");
            string path = route.Path.Replace("/databases/*", "/databases/db", StringComparison.Ordinal);
            HttpAnswer answer = await fixture.Server.SendAsync(HttpVerbs.Name(route.Verb), path);
            if (IsServed(route))
            {
                Assert.False(answer.Status == 501, $"{name} is served, and is answered 501.");
                Assert.False(answer.Status is 404 or 405 && answer.Text.Contains("no route"), $"{name}: {answer.Text}");
            }
            else
            {
                Assert.Equal(HttpStatusCode.NotImplemented, (HttpStatusCode)answer.Status);
                Assert.Equal("System.NotSupportedException", (string?)answer.Json["Type"]);
                Assert.Contains("is not served", (string?)answer.Json["Message"]);
            }
        }
    }

    [Fact]
    public void The_table_in_docs_says_which_are_answered()
    {
        string path = Path.Combine(SourceTree.Root, "docs/http/README.md");
        string page = File.ReadAllText(path);
        int begin = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = page.IndexOf(End, begin, StringComparison.Ordinal);
        string actual = string.Concat(page.AsSpan(0, begin), Table(), page.AsSpan(end));
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.True(
            File.ReadAllText(path) == actual,
            $"The table of {path} is not what the routes say: run this test with DEV_UPDATE_GOLDEN=1.");
    }

    private static string Table()
    {
        var text = new StringBuilder("| requests of the Node client 7.2 | answered | 501 | what is 501 |\n");
        text.Append("|---|---|---|---|\n");
        List<(string Topic, string Name, Route? Route)> all = Requests();
        foreach (IGrouping<string, (string Topic, string Name, Route? Route)> topic in all.GroupBy(one => one.Topic))
        {
            string[] refused = [.. topic.Where(one => !IsServed(one.Route!)).Select(one => one.Name.Replace(
                "/databases/*/", "", StringComparison.Ordinal))];
            text.Append("| ").Append(topic.Key).Append(" | ").Append(topic.Count() - refused.Length).Append(" | ")
                .Append(refused.Length).Append(" | ").AppendJoin(", ", refused.Select(one => $"`{one}`"))
                .Append(" |\n");
        }

        int served = all.Count(one => IsServed(one.Route!));
        return text.Append("| all | ").Append(served).Append(" | ").Append(all.Count - served).Append(" | |\n")
            .ToString();
    }

    /// <summary>Whether a server without a cluster, as that of these tests, does it.</summary>
    private static bool IsServed(Route route) => route.Handler.Method.DeclaringType!.Name is not
        ("NotServedHandler" or "ClusterHandler" or "DatabaseNodesHandler");

    private static List<(string Topic, string Name, Route? Route)> Requests()
    {
        string topic = "";
        List<(string, string, Route?)> all = [];
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Server/client-requests.txt");
        foreach (string line in File.ReadLines(path))
        {
            if (line.StartsWith('#'))
            {
                topic = line[2..];
            }
            else
            {
                all.Add((topic, line, RouteTable.Default.Routes.SingleOrDefault(
                    route => $"{HttpVerbs.Name(route.Verb)} {route.Path}" == line)));
            }
        }

        return all;
    }
}
