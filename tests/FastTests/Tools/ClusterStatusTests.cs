using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;
using Raven.CommandLine.Admin;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace FastTests.Tools;

public sealed class ClusterStatusTests
{
    private const string Well = """
        {"IsClustered":true,"NodeTag":"B","Observer":"A",
         "Store":{"Version":"3.5.16","HasLeader":true,"IsFull":false,"Problem":null,"Advice":null},
         "Nodes":[
          {"NodeTag":"A","Url":"http://a:8080","Version":"0.1.0","IsAlive":true,"Hindrance":null,"Advice":null},
          {"NodeTag":"B","Url":"http://b:8080","Version":"0.1.0","IsAlive":true,"Hindrance":null,"Advice":null}],
         "Databases":[
          {"Name":"shop","Role":"Member","Primary":"A","Epoch":4,"Hindrance":null,"Advice":null,"Nodes":[
           {"NodeTag":"A","Role":"Primary","IsAlive":true,"LagInRecords":null},
           {"NodeTag":"B","Role":"Member","IsAlive":true,"LagInRecords":null}]}]}
        """;

    [Fact]
    public async Task A_cluster_that_is_well_is_two_tables_and_its_lags_are_those_of_the_primary()
    {
        JsonObject ofA = Parse(Well.Replace("\"NodeTag\":\"B\",\"Observer\"", "\"NodeTag\":\"A\",\"Observer\"",
            StringComparison.Ordinal));
        JsonNode group = ofA["Databases"]![0]!;
        group["Role"] = "Primary";
        group["Nodes"]![1]!["LagInRecords"] = 1200;
        group["Nodes"]![1]!["LagSizeInBytes"] = 4096;
        group["Nodes"]![1]!["LagInMs"] = 1500;
        (int code, string lines) = await ReportAsync(path => path.EndsWith("node=A", StringComparison.Ordinal)
            ? ofA
            : Parse(Well));
        Assert.Equal(ExitCode.Success, code);
        Assert.Equal(
            """
            NODE      URL            STATE  VERSION  ETCD
            A         http://a:8080  alive  0.1.0    3.5.16, well
            B (here)  http://b:8080  alive  0.1.0    3.5.16, well

            DATABASE  EPOCH  IN SYNC  NODE  ROLE     BEHIND
            shop      4      2 of 2   A     Primary
                                      B     Member   1,200 records, 4,096 bytes, 1.5 s

            """.ReplaceLineEndings("\n"),
            lines);
    }

    [Fact]
    public async Task What_is_wrong_ends_with_a_failure_and_says_what_to_do()
    {
        JsonObject health = Parse(Well);
        health["Nodes"]![0]!["IsAlive"] = false;
        health["Nodes"]![0]!["Advice"] = "Start its server again.";
        health["Store"]!["HasLeader"] = false;
        health["Store"]!["Problem"] = "etcd has no leader.";
        health["Store"]!["Advice"] = "See that they run.";
        health["Databases"]![0]!["Nodes"]![0]!["IsAlive"] = false;
        health["Databases"]![0]!["Advice"] = "Nothing: another node takes over.";
        int asked = 0;
        (int code, string lines) = await ReportAsync(_ =>
        {
            asked++;
            return (JsonObject)health.DeepClone();
        });
        Assert.Equal(ExitCode.ServerFailed, code);
        Assert.Equal(1, asked);
        foreach (string line in (string[])
        [
            "A         http://a:8080  away   0.1.0    not known",
            "B (here)  http://b:8080  alive  0.1.0    3.5.16, no leader",
            "shop      4      1 of 2   A     Primary, away",
            "WHAT TO DO",
            "node A: Start its server again.",
            "etcd of B: etcd has no leader. See that they run.",
            "shop: Nothing: another node takes over.",
        ])
        {
            Assert.Contains(line, lines, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_node_that_does_not_answer_leaves_what_it_knows_open()
    {
        (int code, string lines) = await ReportAsync(path => path.Contains("node=", StringComparison.Ordinal)
            ? throw new ServerException(HttpStatusCode.ServiceUnavailable, "", "Nothing was done.")
            : Parse(Well));
        Assert.Equal(ExitCode.Success, code);
        Assert.Contains("alive  0.1.0    not known", lines, StringComparison.Ordinal);
        Assert.Contains("Member   not known", lines, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Of_many_databases_those_that_are_well_are_counted_alone()
    {
        JsonObject health = Parse(Well);
        JsonNode one = health["Databases"]![0]!;
        JsonArray all = [];
        for (int i = 0; i < 3000; i++)
        {
            JsonNode each = one.DeepClone();
            each["Name"] = $"db{i}";
            all.Add(each);
        }

        all[2999]!["Nodes"]![1]!["Role"] = "Rehab";
        all[2999]!["Advice"] = "Wait.";
        JsonObject Answer(string path)
        {
            string start = path.Split("start=") is [_, string rest] ? rest.Split('&')[0] : "0";
            JsonObject page = Parse(Well);
            page["Databases"] = new JsonArray(
                [
                    .. all.Skip(int.Parse(start, CultureInfo.InvariantCulture)).Take(1024)
                        .Select(row => row!.DeepClone()),
                ]);
            return page;
        }

        (int code, string lines) = await ReportAsync(Answer);
        Assert.Equal(ExitCode.ServerFailed, code);
        Assert.Contains(
            "2999 databases, of which each member is in sync, are not shown", lines, StringComparison.Ordinal);
        Assert.Contains("db2999: Wait.", lines, StringComparison.Ordinal);
        Assert.InRange(lines.Split('\n').Length, 8, 24);
        (_, lines) = await ReportAsync(Answer, isWhole: true);
        Assert.Contains("db17 ", lines, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_by_itself_says_that_it_is_one()
    {
        (int code, string lines) = await ReportAsync(_ => Parse("""{"IsClustered":false,"Nodes":[],"Databases":[]}"""));
        Assert.Equal(ExitCode.ServerFailed, code);
        Assert.Contains("in no cluster", lines, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_is_asked_by_its_url()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (int code, string output, _) = await RunAsync("cluster", "status", "--url", server.Host.Url);
        Assert.Equal(ExitCode.ServerFailed, code);
        Assert.Contains("in no cluster", output, StringComparison.Ordinal);
        (code, output, _) = await RunAsync("cluster", "status", "--url", server.Host.Url, "--json");
        Assert.Equal(ExitCode.ServerFailed, code);
        Assert.False((bool)JsonNode.Parse(output)!["Cluster"]!["IsClustered"]!);
    }

    [Theory]
    [InlineData(ExitCode.WrongUsage, "is not the url of a server", "nowhere")]
    [InlineData(ExitCode.ServerFailed, "No server answers at http://127.0.0.1:1/", "http://127.0.0.1:1")]
    [InlineData(ExitCode.WrongUsage, "no line with a secret", "http://127.0.0.1:1", "--api-key-file", "/dev/null")]
    public async Task What_cannot_be_asked_is_said(int expected, string says, params string[] arguments)
    {
        (int code, _, string error) = await RunAsync(["cluster", "status", "--url", .. arguments]);
        Assert.Equal(expected, code);
        Assert.Contains(says, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(137, "x", "was ended by signal 9 (SIGKILL).")]
    [InlineData(139, "", "was ended by signal 11 (SIGSEGV).")]
    [InlineData(140, "", "was ended by signal 12.")]
    [InlineData(0, "Raven has stopped.", "has ended in order.")]
    [InlineData(2, "The port is taken.", "has ended with code 2: The port is taken.")]
    [InlineData(3, "", "has ended with code 3.")]
    public void How_a_server_has_ended_is_said(int exitCode, string lastLine, string expected) =>
        Assert.Equal(expected, ClusterUp.EndOf(exitCode, lastLine));

    private static JsonObject Parse(string json) => JsonNode.Parse(json)!.AsObject();

    private static async Task<(int Code, string Lines)> ReportAsync(
        Func<string, JsonObject> answer, bool isWhole = false)
    {
        using var lines = new StringWriter { NewLine = "\n" };
        int code = await ClusterStatus.ReportAsync(
            path => Task.FromResult(JsonNode.Parse(answer(path).ToJsonString())!), isWhole, new VerbOutput(lines));
        return (code, lines.ToString());
    }

    private static async Task<(int Code, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int code = await RavenCommand.RunAsync(arguments, output, error);
        return (code, output.ToString(), error.ToString());
    }
}
