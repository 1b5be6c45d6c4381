using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Operations;

namespace FastTests.Server;

/// <summary>
/// Patches and deletions by a query while their index is changed, deleted and rebuilt, while they are killed, and while
/// the server stops: what they report is what was done, each document once.
/// </summary>
public sealed class QueryChangeHttpTests
{
    private const int Documents = 500;
    private const string Increment = "update { this.N++; }";

    private static readonly string[] Maps =
        ["from a in docs.As select new { a.G }", "from a in docs.As select new { a.G, a.N }"];

    [Fact]
    public async Task Changes_by_query_report_exactly_what_they_did_while_their_index_is_changed_and_deleted()
    {
        const int seed = 4;
        using TestServer server = await WithDocumentsAsync();
        using var stop = new CancellationTokenSource();
        Task changes = Task.Run(() => ChangeIndexAsync(server, new Random(seed), stop.Token));
        var random = new Random(seed + 1);
        int done = 0;
        Dictionary<string, int> ends = [];
        for (int i = 0; i < 40; i++)
        {
            string source = random.Next(4) == 0 ? "As" : "index 'As/ByG'";
            long id = await BeginAsync(server, "PATCH", $"from {source} where G = 1 {Increment}", perSecondMax: 4000);
            if (random.Next(3) == 0)
            {
                await Deadline.ShakeAsync(random, 50);
                (await server.SendAsync("POST", $"~/operations/kill?id={id}")).Expect(HttpStatusCode.NoContent);
            }

            JsonNode ended = await OperationHttpTests.EndAsync(server, id);
            done += ProcessedOf(ended, Documents / 2);
            Assert.Equal(done, (await NumbersAsync(server)).Sum());
            string status = (string)ended["Status"]!;
            ends[status] = ends.GetValueOrDefault(status) + 1;
        }

        Assert.True(ends.Count == 3, $"seed {seed}: not all ends were seen, but {string.Join(' ', ends)}");
        JsonNode deleted;
        do
        {
            // If the index is not changed any more, perhaps while it is deleted, no round ends otherwise than the last.
            Assert.False(changes.IsCompleted, $"seed {seed}: the changes of the index ended: {changes.Exception}");
            deleted = await OperationHttpTests.EndAsync(
                server, await BeginAsync(server, "DELETE", "from index 'As/ByG' where G = 1"));
            ProcessedOf(deleted, null);
        }
        while ((string?)deleted["Status"] != "Completed");

        Assert.Equal(Documents / 2, (await NumbersAsync(server)).Length);
        await stop.CancelAsync();
        await changes;
    }

    [Fact]
    [Trait("Invariant", "BYQ-2")]
    public async Task A_change_by_query_that_a_stopping_server_ends_keeps_its_changes_and_can_be_completed_later()
    {
        string folder = Directory.CreateTempSubdirectory("raven-operations-").FullName;
        try
        {
            RunningOperation operation;
            using (TestServer server = await WithDocumentsAsync(folder))
            {
                long id = await BeginAsync(server, "PATCH", $"from As where G = 1 {Increment}", perSecondMax: 100);
                operation = server.Host.State.Operations.Find("db", id)!;
                await Deadline.UntilAsync(() => operation.Processed != 0);
            }

            await operation.Ended.WaitAsync(Deadline.Hang);
            Assert.Equal(OperationStatus.Faulted, operation.State.Status);
            Assert.Contains("The server is stopping", operation.State.Failure!.Message, StringComparison.Ordinal);
            using TestServer again = new(options => options with { RunInMemory = false, DataDirectory = folder });
            (await again.SendAsync("GET", $"~/operations/state?id={operation.Id}"))
                .ExpectError(404, $"There is no operation {operation.Id}");
            Assert.Equal(operation.Processed, (await NumbersAsync(again)).Sum());
            long rest = await BeginAsync(again, "PATCH", $"from As where G = 1 and N = 0 {Increment}");
            JsonNode ended = await OperationHttpTests.EndAsync(again, rest);
            Assert.Equal((Documents / 2) - operation.Processed, ProcessedOf(ended, null));
            Assert.Equal("Completed", (string?)ended["Status"]);
            int[] numbers = await NumbersAsync(again);
            Assert.Equal(Documents / 2, numbers.Count(number => number == 1));
            Assert.Equal(Documents / 2, numbers.Count(number => number == 0));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    [Trait("Invariant", "BYQ-1")]
    public async Task A_document_that_is_written_after_the_query_of_an_operation_ran_is_not_changed_by_it()
    {
        using TestServer server = await WithDocumentsAsync();
        long id = await BeginAsync(server, "PATCH", $"from As where G = 1 {Increment}", perSecondMax: 1000);
        RunningOperation operation = server.Host.State.Operations.Find("db", id)!;
        await Deadline.UntilAsync(() => operation.Processed != 0);
        await server.PutAsync("as/9999", """{"N":0,"G":1,"@metadata":{"@collection":"As"}}""");
        JsonNode ended = await OperationHttpTests.EndAsync(server, id);
        Assert.Equal("Completed", (string?)ended["Status"]);
        Assert.Equal(Documents / 2, ProcessedOf(ended, Documents / 2));
        int[] numbers = await NumbersAsync(server);
        Assert.Equal((Documents + 1, Documents / 2), (numbers.Length, numbers.Sum()));
    }

    [Fact]
    public async Task An_operation_whose_database_is_deleted_ends_as_faulted_with_that_reason()
    {
        using TestServer server = await WithDocumentsAsync();
        long id = await BeginAsync(server, "PATCH", $"from As {Increment}", perSecondMax: 500);
        RunningOperation operation = server.Host.State.Operations.Find("db", id)!;
        await Deadline.UntilAsync(() => operation.Processed != 0);
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).Expect(HttpStatusCode.OK);
        await operation.Ended.WaitAsync(Deadline.Hang);
        JsonNode ended = (await server.SendAsync("GET", $"/operations/state?id={id}")).Json;
        Assert.Equal("Faulted", (string?)ended["Status"]);
        Assert.EndsWith(
            "DatabaseDoesNotExistException", (string?)ended["Result"]!["Type"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Invariant", "BYQ-3")]
    public async Task A_change_by_query_changes_a_document_with_several_entries_once(bool keepsDuplicates)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Tags","Maps":["from a in docs.As from t in a.Tags select new { Tag = t }"]}]}
            """)).Expect(HttpStatusCode.Created);
        await server.PutAsync("as/1", """{"N":0,"Tags":["x","y","z"],"@metadata":{"@collection":"As"}}""");
        await server.PutAsync("as/2", """{"N":0,"Tags":["y"],"@metadata":{"@collection":"As"}}""");
        long id = await BeginAsync(
            server, "PATCH", $"from index 'Tags' where Tag in ('x', 'y') {Increment}",
            more: keepsDuplicates ? ",\"SkipDuplicateChecking\":true" : "");
        Assert.Equal(2, ProcessedOf(await OperationHttpTests.EndAsync(server, id), 2));
        Assert.Equal("1 1", string.Join(' ', await NumbersAsync(server)));
    }

    private static async Task<TestServer> WithDocumentsAsync(string? folder = null)
    {
        TestServer server = await TestServer.WithDatabaseAsync(options => folder is null
            ? options
            : options with { RunInMemory = false, DataDirectory = folder });
        string commands = string.Join(',', Enumerable.Range(0, Documents).Select(i =>
            $"{{\"Type\":\"PUT\",\"Id\":\"as/{i:d4}\",\"Document\":{{\"N\":0,\"G\":{i % 2},\"@metadata\":"
            + "{\"@collection\":\"As\"}}}"));
        (await server.SendAsync("POST", "~/bulk_docs", $"{{\"Commands\":[{commands}]}}"))
            .Expect(HttpStatusCode.Created);
        return server;
    }

    /// <summary>Alternates between two definitions of the index, deletes it, and rebuilds it.</summary>
    private static async Task ChangeIndexAsync(TestServer server, Random random, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            (string method, string path, string? body) = random.Next(8) switch
            {
                0 => ("DELETE", "~/indexes?name=As/ByG", null),
                1 => ("RESET", "~/indexes?name=As/ByG", null),
                int which => ("PUT", "~/admin/indexes",
                    $$"""{"Indexes":[{"Name":"As/ByG","Maps":["{{Maps[which % 2]}}"]}]}"""),
            };
            HttpAnswer answer = await server.SendAsync(method, path, body);
            bool isMissing = answer.Status == 400 && method == "RESET"
                && answer.Text.Contains("There is no index 'As/ByG'", StringComparison.Ordinal);
            Assert.True(answer.Status is 200 or 201 or 204 || isMissing, $"{method}: {answer.Status} {answer.Text}");
            await Deadline.ShakeAsync(random, 20);
        }
    }

    private static async Task<long> BeginAsync(
        TestServer server, string method, string query, int perSecondMax = 0, string more = "")
    {
        string body = $"{QueryHttpTests.Body(query)[..^1]}{more}}}";
        HttpAnswer begun = await server.SendAsync(
            method, $"~/queries?maxOpsPerSec={perSecondMax}", method == "PATCH" ? $"{{\"Query\":{body}}}" : body);
        return (long)begun.Expect(HttpStatusCode.OK).Json["OperationId"]!;
    }

    /// <summary>How many documents an operation says that it changed: all of them, or it says why not.</summary>
    private static int ProcessedOf(JsonNode ended, int? all)
    {
        int processed = (int?)ended["Progress"]?["Processed"] ?? 0;
        if ((string?)ended["Status"] == "Completed")
        {
            Assert.Equal(processed, all ?? processed);
            Assert.Equal(processed, (int)ended["Progress"]!["Total"]!);
        }
        else
        {
            string why = (string)ended["Result"]!["Message"]!;
            Assert.True(
                why.Contains("There is no index 'As/ByG'", StringComparison.Ordinal)
                    || why.Contains("The operation was ended before it was done", StringComparison.Ordinal),
                ended.ToJsonString());
        }

        return processed;
    }

    private static async Task<int[]> NumbersAsync(TestServer server)
    {
        HttpAnswer answer = await server.SendAsync("GET", "~/docs?startsWith=as/&pageSize=1000");
        return [.. answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Select(one => (int)one!["N"]!)];
    }
}
