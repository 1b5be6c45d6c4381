using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Queries;
using Raven.Search;

namespace FastTests.Queries;

/// <summary>A query that waits for its index holds nothing meanwhile (QRY-1).</summary>
public sealed class WaitingQueryTests
{
    private const string ByAge = "from Users where Age = 30";

    [Fact]
    [Trait("Invariant", "QRY-1")]
    [Trait("Invariant", "RUN-3")]
    public async Task Queries_that_wait_for_their_index_hold_no_snapshot_and_no_thread()
    {
        // Nothing is indexed but by this thread, in CatchUp.
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = -1 });
        Put(database, "users/1");
        DatabaseIndex index = database.MakeIndexFor(ByAge);
        database.CatchUp();
        Put(database, "users/2");
        SearchIndex search = index.OpenedStorage!.Search;

        // All on one thread: a wait that blocks it would stop those behind.
        Task<QuerySession>[] waits = [.. Enumerable.Range(0, 200).Select(_ => database.BeginAsync(ByAge).AsTask())];
        Assert.All(waits, wait => Assert.False(wait.IsCompleted, "It did not wait."));
        Assert.Equal(waits.Length, index.Waits.Count);
        Assert.Equal(0, search.GetStorageStatistics().Readers);
        Assert.Equal(0, ReadersOf(database.Database));

        // Threads of the pool are added one by one if all are taken: this would be behind the last of the waits.
        await Task.Run(() => { }).WaitAsync(Deadline.Hang);
        database.CatchUp();
        foreach (Task<QuerySession> wait in waits)
        {
            using QuerySession session = await wait;
            Assert.False(session.IsStale);
            Assert.Equal(2, session.Reader!.EntryCount);
        }

        Assert.Equal(0, index.Waits.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Invariant", "QRY-1")]
    public async Task A_request_that_waits_for_its_index_has_given_back_its_memory_and_keeps_its_parameters(
        bool isMultiGet)
    {
        const string Query = "from Users as u where u.Age in ($ages) select { Name: u.Name, Note: $extra.Note }";
        const string Parameters = """{"ages":[30,31],"extra":{"Note":"kept"}}""";
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, Query, Parameters);
        Assert.True(server.Host.State.Databases.TryGet(TestServer.Database, out Database? database));
        DatabaseIndex index = Assert.Single(database.Indexes.All);
        Task<JsonNode> asked;
        using (new IndexBlocker(index))
        {
            await server.PutAsync("users/dora", """{"Name":"Dora","Age":31,"@metadata":{"@collection":"Users"}}""");
            asked = isMultiGet
                ? MultiGetAsync(server, QueryHttpTests.Body(Query, Parameters))
                : QueryHttpTests.QueryAsync(server, Query, Parameters);
            Eventually(() => index.Waits.Count == 1, "It did not wait.");
            Eventually(() => server.Host.State.Contexts.GetStatistics().Rented == 0, "It holds its memory.");

            // The wait is on the list before it looks once more whether the index is up to date.
            SearchIndex search = index.OpenedStorage!.Search;
            Eventually(() => search.GetStorageStatistics().Readers == 0, "It reads the index.");
            Eventually(() => ReadersOf(database) == 0, "It reads the database.");
            Assert.False(asked.IsCompleted);
        }

        JsonArray results = (await asked)["Results"]!.AsArray();
        Assert.Equal(["Anna", "Carl", "Dora"], results.Select(one => (string?)one!["Name"]).Order());
        Assert.All(results, one => Assert.Equal("kept", (string?)one!["Note"]));
    }

    [Fact]
    [Trait("Invariant", "QRY-1")]
    public async Task An_operation_that_waits_for_its_index_holds_no_memory()
    {
        using TestServer server = await QueryHttpTests.WithUsersAsync();
        await QueryHttpTests.QueryAsync(server, "from Users where Age = 31");
        Assert.True(server.Host.State.Databases.TryGet(TestServer.Database, out Database? database));
        DatabaseIndex index = Assert.Single(database.Indexes.All);
        long operation;
        using (new IndexBlocker(index))
        {
            await server.PutAsync("users/dora", """{"Name":"Dora","Age":31,"@metadata":{"@collection":"Users"}}""");
            HttpAnswer begun = await server.SendAsync(
                "PATCH", "~/queries", """{"Query":{"Query":"from Users where Age = 31 update { this.Seen = 1; }"}}""");
            operation = (long)begun.Expect(System.Net.HttpStatusCode.OK).Json["OperationId"]!;
            Eventually(() => index.Waits.Count == 1, "It did not wait.");
            Eventually(() => server.Host.State.Contexts.GetStatistics().Rented == 0, "It holds memory.");
        }

        JsonNode ended = await OperationHttpTests.EndAsync(server, operation);
        Assert.Equal("Completed 1", $"{ended["Status"]} {ended["Progress"]!["Processed"]}");
    }

    private static async Task<JsonNode> MultiGetAsync(TestServer server, string body)
    {
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/multi_get",
            $$"""{"Requests":[{"Url":"/databases/db/queries","Method":"POST","Content":{{body}}}]}""");
        return answer.Expect(System.Net.HttpStatusCode.OK).Json["Results"]![0]!["Result"]!;
    }

    private static int ReadersOf(Database database)
    {
        DatabaseStorage storage = database.Enter();
        try
        {
            return storage.Environment.GetStatistics().Readers;
        }
        finally
        {
            storage.Release();
        }
    }

    private static void Put(IndexedDatabase database, string id)
    {
        database.Begin();
        database.Put(id, """{"Age":30,"@metadata":{"@collection":"Users"} }""");
        database.Submit();
    }

    private static void Eventually(Func<bool> condition, string otherwise) =>
        Deadline.Until(condition, otherwise);
}
