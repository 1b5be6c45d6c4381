using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Earlier versions over HTTP: which are kept, how they are read, how they go.</summary>
public sealed class RevisionsHttpTests
{
    private const string KeepAll = """{"Default":{"Disabled":false},"Collections":{}}""";

    [Fact]
    public async Task A_revert_restores_the_versions_of_documents_at_the_given_time()
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        await server.PutAsync("changed", """{"Name":"old"}""");
        await server.PutAsync("deleted", """{"Name":"there"}""");
        await server.PutAsync("same", """{"Name":"same"}""");
        string time = (await Deadline.TimeBetweenAsync()).ToString("O", CultureInfo.InvariantCulture);
        await server.PutAsync("changed", """{"Name":"new"}""");
        await server.PutAsync("made", """{"Name":"late"}""");
        (await server.SendAsync("DELETE", "~/docs?id=deleted")).Expect(HttpStatusCode.NoContent);
        HttpAnswer started = await server.SendAsync("POST", "~/revisions/revert", $"{{\"Time\":\"{time}\"}}");
        JsonNode state = await EndAsync(server, (long)started.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        Assert.Equal("Completed", (string?)state["Status"]);
        Assert.Equal(4, (int)state["Result"]!["Processed"]!);
        Assert.Equal("old", await NameAsync(server, "changed"));
        Assert.Equal("there", await NameAsync(server, "deleted"));
        Assert.Equal("same", await NameAsync(server, "same"));
        (await server.SendAsync("GET", "~/docs?id=made")).Expect(HttpStatusCode.NotFound);
        Assert.Equal(3, await CountAsync(server, "changed"));
    }

    [Fact]
    [Trait("Invariant", "REV-2")]
    public async Task A_deleted_document_with_revisions_is_in_the_bin_until_it_is_written_again_or_purged()
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        await server.PutAsync("a", "{}");
        await server.PutAsync("b", "{}");
        (await server.SendAsync("DELETE", "~/docs?id=A")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("DELETE", "~/docs?id=b")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(["b", "a"], await BinAsync(server));
        Assert.Equal(["a"], await BinAsync(server, "?start=1"));
        await server.PutAsync("a", "{}");
        Assert.Equal(["b"], await BinAsync(server));
        HttpAnswer purged = await server.SendAsync("DELETE", "~/admin/revisions", """{"DocumentIds":["B"]}""");
        Assert.Equal(2, (int)purged.Expect(HttpStatusCode.OK).Json["TotalDeletes"]!);
        Assert.Empty(await BinAsync(server));
        Assert.Equal(0, await CountAsync(server, "b"));
        Assert.Equal(3, await CountAsync(server, "a"));
    }

    [Fact]
    public async Task A_page_of_the_revisions_bin_continues_at_its_token_though_documents_were_deleted_meanwhile()
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        foreach (string id in (string[])["a", "b", "c", "d", "e"])
        {
            await server.PutAsync(id, "{}");
            (await server.SendAsync("DELETE", $"~/docs?id={id}")).Expect(HttpStatusCode.NoContent);
        }

        string token = await ContinuationAsync(server, "?pageSize=2");
        await server.PutAsync("f", "{}");
        (await server.SendAsync("DELETE", "~/docs?id=f")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(["c", "b"], await BinAsync(server, $"?continuationToken={token}&pageSize=2"));
        Assert.Equal(["b", "a"], await BinAsync(server, $"?continuationToken={token}&start=1"));
        JsonNode rest = (await server.SendAsync("GET", $"~/revisions/bin?continuationToken={token}&pageSize=3")).Json;
        Assert.Equal(3, rest["Results"]!.AsArray().Count);
        Assert.Null(rest["ContinuationToken"]);
        Assert.Equal(400, (await server.SendAsync("GET", "~/revisions/bin?continuationToken=none")).Status);
    }

    [Theory]
    [InlineData("a")]
    [InlineData("users/a-longer-id")]
    public async Task A_revision_lists_the_attachments_of_its_version(string id)
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        await server.PutAsync(id, "{}");
        (await server.SendAsync("PUT", $"~/attachments?id={id}&name=n", new StringContent("bytes")))
            .Expect(HttpStatusCode.Created);
        JsonNode revision = (await server.SendAsync("GET", $"~/revisions?id={id}")).Expect(HttpStatusCode.OK)
            .Json["Results"]![0]!;
        Assert.Equal("n", (string?)revision["@metadata"]!["@attachments"]![0]!["Name"]);
    }

    [Fact]
    public async Task A_list_longer_than_the_response_buffer_is_sent_in_chunks()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { ResponseBufferSizeBytesMax = 65_536 });
        await ConfigureAsync(server, KeepAll);
        string text = new('x', 20_000);
        for (int i = 0; i < 10; i++)
        {
            await server.PutAsync("a", $"{{\"N\":{i},\"Text\":\"{text}\"}}");
            (await server.SendAsync("PUT", $"~/cmpxchg?key=k{i}&index=0", $"{{\"Object\":\"{text}\"}}"))
                .Expect(HttpStatusCode.OK);
        }

        foreach (string path in new[] { "~/revisions?id=a", "~/cmpxchg?startsWith=k", "~/revisions?id=a&pageSize=2" })
        {
            HttpAnswer answer = (await server.SendAsync("GET", path)).Expect(HttpStatusCode.OK);
            bool isShort = path.EndsWith('2');
            Assert.Equal(isShort ? 2 : 10, answer.Json["Results"]!.AsArray().Count);
            Assert.Equal(isShort ? null : true, answer.Message.Headers.TransferEncodingChunked);
        }
    }

    [Fact]
    public async Task Single_revisions_are_deleted_by_their_change_vectors()
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        string first = await server.PutAsync("a", """{"N":1}""");
        await server.PutAsync("a", """{"N":2}""");
        string url = $"~/revisions?changeVector={Uri.EscapeDataString(first)}";
        (await server.SendAsync("GET", url)).Expect(HttpStatusCode.OK);
        (await server.SendAsync(
            "DELETE", "~/admin/revisions", $$"""{"DocumentIds":["a"],"RevisionsChangeVectors":["{{first}}"]}"""))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", url)).ExpectError(404, "change vector");
        Assert.Equal(1, await CountAsync(server, "a"));
    }

    [Fact]
    public async Task Old_revisions_are_deleted_only_when_both_their_number_and_their_age_allow_it()
    {
        using TestServer server = await WithRevisionsAsync(
            """{"Default":{"MinimumRevisionsToKeep":1,"MinimumRevisionAgeToKeep":"01:00:00"}}""");
        for (int i = 0; i < 4; i++)
        {
            await server.PutAsync("a", $"{{\"N\":{i}}}");
        }

        Assert.Equal(4, await CountAsync(server, "a"));
        await ConfigureAsync(
            server, """{"Default":{"MinimumRevisionsToKeep":1,"MinimumRevisionAgeToKeep":"00:00:00"}}""");
        await server.PutAsync("a", "{}");
        Assert.Equal(1, await CountAsync(server, "a"));
    }

    [Theory]
    [InlineData("""{"Default":7}""", "Default")]
    [InlineData("""{"Collections":{"Users":[]}}""", "Users")]
    [InlineData("""{"Default":{"Disabled":"yes"}}""", "Disabled")]
    [InlineData("""{"Default":{"MinimumRevisionsToKeep":-1}}""", "MinimumRevisionsToKeep")]
    [InlineData("""{"Default":{"MinimumRevisionAgeToKeep":"long"}}""", "MinimumRevisionAgeToKeep")]
    public async Task A_wrong_revisions_configuration_is_refused_and_the_old_one_stays_in_effect(
        string configuration, string says)
    {
        using TestServer server = await WithRevisionsAsync(KeepAll);
        string before = (await server.SendAsync("GET", "~/revisions/config")).Text;
        (await server.SendAsync("POST", "~/admin/revisions/config", configuration)).ExpectError(400, says);
        await server.PutAsync("a", "{}");
        Assert.Equal(1, await CountAsync(server, "a"));
        Assert.Equal(before, (await server.SendAsync("GET", "~/revisions/config")).Text);
    }

    [Theory]
    [InlineData("~/revisions", 400)]
    [InlineData("~/revisions?id=a%00", 400)]
    [InlineData("~/revisions?id=a&before=yesterday", 400)]
    [InlineData("~/revisions?changeVector=nonsense", 404)]
    [InlineData("~/revisions?id=none", 200)]
    [InlineData("~/revisions/count", 400)]
    [InlineData("~/revisions/bin", 200)]
    [InlineData("~/revisions/bin?start=0&pageSize=undefined", 200)]
    [InlineData("~/revisions/bin?start=0&pageSize=many", 400)]
    [InlineData("~/revisions/config", 404)]
    public async Task Requests_for_revisions_are_answered_in_a_database_without_revisions(string path, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        Assert.Equal(status, (await server.SendAsync("GET", path)).Status);
    }

    private static async Task<TestServer> WithRevisionsAsync(string configuration)
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await ConfigureAsync(server, configuration);
        return server;
    }

    private static async Task ConfigureAsync(TestServer server, string configuration) =>
        (await server.SendAsync("POST", "~/admin/revisions/config", configuration)).Expect(HttpStatusCode.OK);

    private static async Task<JsonNode> EndAsync(TestServer server, long operation)
    {
        JsonNode? state = null;
        await Deadline.UntilAsync(async () =>
        {
            state = (await server.SendAsync("GET", $"~/operations/state?id={operation}")).Json;
            return (string?)state["Status"] != "InProgress";
        });
        return state!;
    }

    private static async Task<string?> NameAsync(TestServer server, string id) =>
        (string?)(await server.SendAsync("GET", $"~/docs?id={id}")).Expect(HttpStatusCode.OK)
            .Json["Results"]![0]!["Name"];

    private static async Task<int> CountAsync(TestServer server, string id) =>
        (int)(await server.SendAsync("GET", $"~/revisions/count?id={id}")).Json["RevisionsCount"]!;

    private static async Task<string> ContinuationAsync(TestServer server, string query) =>
        (string)(await server.SendAsync("GET", $"~/revisions/bin{query}")).Json["ContinuationToken"]!;

    private static async Task<string[]> BinAsync(TestServer server, string query = "") =>
        [.. (await server.SendAsync("GET", $"~/revisions/bin{query}")).Json["Results"]!.AsArray()
            .Select(one => (string)one!["@metadata"]!["@id"]!)];
}
