using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>VER-1 and VER-2: which versions and revisions a batch makes that does much to one document.</summary>
public sealed class BatchVersionsHttpTests
{
    private const int Attachments = 40;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Invariant", "VER-1")]
    [Trait("Invariant", "BAT-3")]
    [Trait("Invariant", "REV-1")]
    public async Task A_batch_with_many_operations_on_a_document_keeps_one_revision_of_it(bool isNew)
    {
        using TestServer server = await WithRevisionsAsync();
        if (!isNew)
        {
            await server.PutAsync("a", "{}");
        }

        string put = isNew ? """{"Type":"PUT","Id":"a","Document":{"N":1}},""" : "";
        JsonArray results = await BatchAsync(server, put + Puts("a", Attachments), Attachments);
        JsonArray revisions = await RevisionsAsync(server, "a");
        Assert.Equal(isNew ? 1 : 2, revisions.Count);
        Assert.Equal(Attachments, revisions[0]!["@metadata"]!["@attachments"]!.AsArray().Count);
        string version = await VersionAsync(server, "a");
        Assert.Equal(version, (string?)revisions[0]!["@metadata"]!["@change-vector"]);
        Assert.All(
            results.TakeLast(Attachments),
            result => Assert.Equal(version, (string?)result!["DocumentChangeVector"]));
    }

    [Fact]
    [Trait("Invariant", "VER-2")]
    public async Task Puts_and_deletions_of_a_batch_see_the_document_as_earlier_operations_left_it()
    {
        using TestServer server = await WithRevisionsAsync();
        const string counter = """
            {"Type":"Counters","Id":"a","Counters":{"DocumentId":"a","Operations":[
              {"Type":"Increment","CounterName":"c","Delta":1}]}},
            """;
        await BatchAsync(
            server,
            """{"Type":"PUT","Id":"a","Document":{"N":1}},""" + Puts("a", 2) + "," + counter
            + """{"Type":"PUT","Id":"A","Document":{"N":2}},{"Type":"AttachmentDELETE","Id":"a","Name":"n0"}""",
            2);
        JsonArray revisions = await RevisionsAsync(server, "a");
        JsonNode only = Assert.Single(revisions)!;
        Assert.Equal(2, (int)only["N"]!);
        Assert.Equal("n1", (string?)Assert.Single(only["@metadata"]!["@attachments"]!.AsArray())!["Name"]);
        JsonNode document = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Equal("c", (string?)Assert.Single(document["@metadata"]!["@counters"]!.AsArray()));
        await BatchAsync(
            server,
            """{"Type":"AttachmentDELETE","Id":"a","Name":"n1"},{"Type":"DELETE","Id":"a"},"""
            + """{"Type":"PUT","Id":"a","Document":{"N":3}}""",
            0);
        document = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Equal("HasRevisions", (string?)document["@metadata"]!["@flags"]);
        Assert.Equal([3, null, 2], (await RevisionsAsync(server, "a")).Select(one => (int?)one!["N"]));
    }

    [Fact]
    public async Task A_forced_revision_is_of_the_version_before_a_put_or_of_the_last_version_of_the_batch()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"N":1}""");
        JsonArray results = await BatchAsync(
            server,
            """{"Type":"ForceRevisionCreation","Id":"a"},{"Type":"PUT","Id":"a","Document":{"N":2}},"""
            + """{"Type":"ForceRevisionCreation","Id":"a"},{"Type":"ForceRevisionCreation","Id":"a"},""" + Puts("a", 1),
            1);
        Assert.Equal(
            [true, true, false],
            results.Where(one => (string?)one!["Type"] == "ForceRevisionCreation")
                .Select(one => (bool)one!["RevisionCreated"]!));
        JsonArray revisions = await RevisionsAsync(server, "a");
        Assert.Equal([2, 1], revisions.Select(one => (int)one!["N"]!));
        Assert.Equal(await VersionAsync(server, "a"), (string?)revisions[0]!["@metadata"]!["@change-vector"]);
        Assert.Single(revisions[0]!["@metadata"]!["@attachments"]!.AsArray());
    }

    [Fact]
    [Trait("Invariant", "ATT-3")]
    [Trait("Invariant", "VER-1")]
    public async Task Attachment_moves_between_two_documents_in_a_batch_give_each_document_one_version()
    {
        using TestServer server = await WithRevisionsAsync();
        await server.PutAsync("a", "{}");
        await server.PutAsync("b", "{}");
        string moves = string.Join(',', Enumerable.Range(0, 5).Select(i =>
            $$"""{"Type":"AttachmentMOVE","Id":"a","Name":"n{{i}}","DestinationId":"b","DestinationName":"m{{i}}"}"""));
        JsonArray results = await BatchAsync(server, Puts("a", 5) + "," + moves, 5);
        string version = await VersionAsync(server, "b");
        Assert.All(results.TakeLast(5), result => Assert.Equal(version, (string?)result!["DocumentChangeVector"]));
        Assert.Equal(2, (await RevisionsAsync(server, "a")).Count);
        JsonArray revisions = await RevisionsAsync(server, "b");
        Assert.Equal(2, revisions.Count);
        Assert.Equal(5, revisions[0]!["@metadata"]!["@attachments"]!.AsArray().Count);
        JsonNode left = (await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!;
        Assert.Equal("HasRevisions", (string?)left["@metadata"]!["@flags"]);
    }

    private static string Puts(string id, int count) => string.Join(',', Enumerable.Range(0, count).Select(i =>
        $$"""{"Type":"AttachmentPUT","Id":"{{id}}","Name":"n{{i}}"}"""));

    private static async Task<JsonArray> BatchAsync(TestServer server, string commands, int attachments)
    {
        var content = new MultipartFormDataContent
        {
            { new StringContent($"{{\"Commands\":[{commands}]}}", Encoding.UTF8, "application/json"), "main" },
        };
        for (int i = 0; i < attachments; i++)
        {
            content.Add(new ByteArrayContent([(byte)i]), $"attachment_{i}", "blob");
        }

        return (await server.SendAsync("POST", "~/bulk_docs", content)).Expect(HttpStatusCode.Created)
            .Json["Results"]!.AsArray();
    }

    private static async Task<JsonArray> RevisionsAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/revisions?id={id}")).Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();

    private static async Task<string> VersionAsync(TestServer server, string id)
    {
        JsonNode document = (await server.SendAsync("GET", $"~/docs?id={id}")).Json["Results"]![0]!;
        return (string)document["@metadata"]!["@change-vector"]!;
    }

    private static async Task<TestServer> WithRevisionsAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        const string all = """{"Default":{"Disabled":false},"Collections":{}}""";
        (await server.SendAsync("POST", "~/admin/revisions/config", all)).Expect(HttpStatusCode.OK);
        return server;
    }
}
