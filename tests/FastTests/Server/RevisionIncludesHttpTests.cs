using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Earlier versions with documents, what changed between two, and attachments read together.</summary>
public sealed class RevisionIncludesHttpTests
{
    [Fact]
    public async Task Revisions_are_included_with_documents_by_path_change_vector_or_time()
    {
        using TestServer server = await WithRevisionsAsync();
        string first = await server.PutAsync("a", """{"N":1}""");
        string second = await server.PutAsync("a", """{"N":2}""");
        string time = (await Deadline.TimeBetweenAsync()).ToString("O", CultureInfo.InvariantCulture);
        await server.PutAsync(
            "a", $$"""{"N":3,"One":"{{first}}","Contracts":[{"Version":"{{second}}"},{"Version":"none"}]}""");

        JsonArray byPath = await IncludesAsync(server, "revisions=One&revisions=Contracts.Version");
        Assert.Equal([1, 2], byPath.Select(one => (int)one!["Revision"]!["N"]!));
        Assert.Equal([first, second], byPath.Select(one => (string)one!["ChangeVector"]!));
        Assert.Null(byPath[0]!["Before"]);
        Assert.Equal("a", (string?)byPath[0]!["Id"]);
        JsonArray byVector = await IncludesAsync(server, $"revisions={Uri.EscapeDataString(second)}&revisions=Missing");
        Assert.Equal(2, (int)byVector.Single()!["Revision"]!["N"]!);
        JsonArray byTime = await IncludesAsync(server, $"revisionsBefore={Uri.EscapeDataString(time)}");
        Assert.Equal(2, (int)byTime.Single()!["Revision"]!["N"]!);
        Assert.Equal(time, (string?)byTime[0]!["Before"]);
        Assert.Empty(await IncludesAsync(server, "revisionsBefore=2001-01-01"));
        (await server.SendAsync("GET", "~/docs?id=a&revisionsBefore=never")).ExpectError(400, "revisionsBefore");
    }

    [Fact]
    public async Task Revisions_are_included_with_the_results_of_a_query()
    {
        using TestServer server = await WithRevisionsAsync();
        string first = await server.PutAsync("a", """{"N":1,"@metadata":{"@collection":"As"}}""");
        string time = (await Deadline.TimeBetweenAsync()).ToString("O", CultureInfo.InvariantCulture);
        await server.PutAsync("a", $$"""{"May":"{{first}}","N":2,"@metadata":{"@collection":"As"} }""");

        async Task<JsonArray> Included(string include, string parameters = "{}") => (await QueryHttpTests.QueryAsync(
            server, $"from As as x where x.N = 2 include {include}", parameters))["RevisionIncludes"]!.AsArray();
        foreach (string include in (string[])["revisions('May')", "revisions(x.May)", "revisions('x.May')"])
        {
            JsonNode byPath = (await Included(include)).Single()!;
            Assert.Equal(1, (int)byPath["Revision"]!["N"]!);
            Assert.Equal(first, (string?)byPath["ChangeVector"]);
            Assert.Null(byPath["Before"]);
        }

        JsonNode byTime = (await Included("revisions($at)", $$"""{"at":"{{time}}"}""")).Single()!;
        Assert.Equal(("a", time), ((string?)byTime["Id"], (string?)byTime["Before"]));
        Assert.Equal(1, (int)byTime["Revision"]!["N"]!);
        Assert.Equal(1, (int)(await Included($"revisions('{first}')")).Single()!["Revision"]!["N"]!);
        Assert.Equal(2, (await Included($"revisions('May'), revisions('{time}')")).Count);
        Assert.Empty(await Included("revisions('2001-01-01')"));
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from As include revisions()")))
            .ExpectError(400, "column");
        (await server.SendAsync("POST", "~/queries", QueryHttpTests.Body("from As include revisions('May', 5)")))
            .ExpectError(400, "expected a text");
    }

    [Fact]
    public async Task The_tag_of_an_answer_with_included_revisions_changes_when_one_is_purged()
    {
        using TestServer server = await WithRevisionsAsync();
        string first = await server.PutAsync("a", """{"N":1}""");
        await server.PutAsync("a", $$"""{"One":"{{first}}"}""");
        string before = (await server.SendAsync("GET", "~/docs?id=a&revisions=One")).ETag!;
        await server.SendAsync(
            "DELETE", "~/admin/revisions", $$"""{"DocumentIds":["a"],"RevisionsChangeVectors":["{{first}}"]}""");
        await server.PutAsync("other", "{}");
        HttpAnswer after = await server.SendAsync(
            "GET", "~/docs?id=a&revisions=One", (string?)null, $"If-None-Match: {before}");
        Assert.Empty(after.Expect(HttpStatusCode.OK).Json["RevisionIncludes"]!.AsArray());
    }

    [Fact]
    public async Task The_names_of_included_counters_are_listed_beside_their_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        JsonNode answer = (await server.SendAsync("GET", "~/docs?id=a&counter=x&counter=y")).Json;
        Assert.Equal("""{"a":["x","y"]}""", answer["IncludedCounterNames"]!.ToJsonString());
        answer = (await server.SendAsync("GET", "~/docs?id=a&counter=@all_counters")).Json;
        Assert.Equal("""{"a":[]}""", answer["IncludedCounterNames"]!.ToJsonString());
    }

    [Theory]
    [InlineData("""{"a":1}""", """{"a":2}""", """[{"op":"replace","path":"/a","value":2,"old":1}]""")]
    [InlineData("""{"a":1}""", """{"b":1}""",
        """[{"op":"remove","path":"/a","old":1},{"op":"add","path":"/b","value":1}]""")]
    [InlineData("""{"a":{"b/c":{"~":1}}}""", """{"a":{"b/c":{"~":"x"}}}""",
        """[{"op":"replace","path":"/a/b~1c/~0","value":"x","old":1}]""")]
    [InlineData("""{"a":[1,2,3,4]}""", """{"a":[1,5]}""",
        """
        [{"op":"replace","path":"/a/1","value":5,"old":2},{"op":"remove","path":"/a/3","old":4},
         {"op":"remove","path":"/a/2","old":3}]
        """)]
    [InlineData("""{"a":[]}""", """{"a":[{"x":null},true]}""",
        """[{"op":"add","path":"/a/0","value":{"x":null}},{"op":"add","path":"/a/1","value":true}]""")]
    [InlineData("""{"a":null,"b":true,"c":1.5,"d":"1","e":{"f":[1]}}""",
        """{"e":{"f":[1]},"a":false,"b":true,"c":1.50,"d":1}""",
        """
        [{"op":"replace","path":"/a","value":false,"old":null},{"op":"replace","path":"/d","value":1,"old":"1"}]
        """)]
    [InlineData("""{"a":{"x":1}}""", """{"a":[1]}""", """[{"op":"replace","path":"/a","value":[1],"old":{"x":1}}]""")]
    public async Task The_difference_of_two_revisions_is_a_JSON_patch_from_one_to_the_other(
        string from, string to, string patch)
    {
        using TestServer server = await WithRevisionsAsync();
        string first = await server.PutAsync("d", from);
        string second = await server.PutAsync("d", to);
        HttpAnswer answer = await server.SendAsync(
            "GET", $"~/revisions/diff?from={Uri.EscapeDataString(first)}&to={Uri.EscapeDataString(second)}");
        JsonNode json = answer.Expect(HttpStatusCode.OK).Json;
        Assert.Equal(("d", first, second), ((string)json["Id"]!, (string)json["From"]!, (string)json["To"]!));
        Assert.Equal(Sorted(patch.Trim()), Sorted(json["Patch"]!.ToJsonString()));

        // What our own patches understand is understood.
        await server.PutAsync("e", from);
        (await server.SendAsync("POST", "~/bulk_docs", new JsonObject
        {
            ["Commands"] = new JsonArray(new JsonObject
            {
                ["Type"] = "JsonPatch", ["Id"] = "e", ["ChangeVector"] = null,
                ["JsonPatch"] = json["Patch"]!.DeepClone(),
            }),
        }.ToJsonString())).Expect(HttpStatusCode.Created);
        JsonNode patched = (await server.SendAsync("GET", "~/docs?id=e")).Json["Results"]![0]!;
        patched.AsObject().Remove("@metadata");
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(to), patched), patched.ToJsonString());
    }

    [Fact]
    public async Task The_difference_of_a_missing_revision_is_refused_with_its_parameter()
    {
        using TestServer server = await WithRevisionsAsync();
        string first = Uri.EscapeDataString(await server.PutAsync("d", "{}"));
        (await server.SendAsync("GET", $"~/revisions/diff?from={first}&to=x")).ExpectError(404, "'to'");
        (await server.SendAsync("GET", $"~/revisions/diff?from=x&to={first}")).ExpectError(404, "'from'");
        (await server.SendAsync("GET", $"~/revisions/diff?from={first}")).ExpectError(400, "'to'");
        JsonNode same = (await server.SendAsync("GET", $"~/revisions/diff?from={first}&to={first}")).Json;
        Assert.Empty(same["Patch"]!.AsArray());
    }

    [Fact]
    public async Task Several_attachments_are_answered_together_behind_their_descriptions()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await server.PutAsync("b", "{}");
        string large = new('x', 600_000);
        await AttachAsync(server, "a", "one", "text/plain", "1");
        await AttachAsync(server, "a", "large", "", large);
        await AttachAsync(server, "b", "two", "image/x", "22");
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/attachments/bulk", """
            {"Attachments":[{"DocumentId":"B","Name":"TWO"},{"DocumentId":"a","Name":"none"},
             {"DocumentId":"a","Name":"large"},{"DocumentId":"a","Name":"one"}]}
            """);
        string text = answer.Expect(HttpStatusCode.OK).Text;
        int end = text.IndexOf("]}", StringComparison.Ordinal) + 2;
        JsonArray described = JsonNode.Parse(text[..end])!["AttachmentsMetadata"]!.AsArray();
        Assert.Equal("22" + large + "1", text[end..]);
        Assert.Equal([0, 2, 3], described.Select(one => (int)one!["Index"]!));
        Assert.Equal(["two", "large", "one"], described.Select(one => (string)one!["Name"]!));
        Assert.Equal([2, 600_000, 1], described.Select(one => (int)one!["Size"]!));
        Assert.Equal("b", (string?)described[0]!["DocumentId"]);
        Assert.Equal("image/x", (string?)described[0]!["ContentType"]);
        HttpAnswer single = await server.SendAsync("GET", "~/attachments?id=b&name=two");
        Assert.Equal(single.Message.Headers.GetValues("Attachment-Hash").Single(), (string?)described[0]!["Hash"]);
        Assert.Equal(single.ETag, $"\"{described[0]!["ChangeVector"]}\"");

        (await server.SendAsync("POST", "~/attachments/bulk", "{}")).ExpectError(400, "Attachments");
        (await server.SendAsync("POST", "~/attachments/bulk", """{"Attachments":[{"DocumentId":"a"}]}"""))
            .ExpectError(400, "Attachments[0]");
        await server.AssertServesAsync();
    }

    private static async Task AttachAsync(TestServer server, string id, string name, string type, string bytes) =>
        (await server.SendAsync(
            "PUT", $"~/attachments?id={id}&name={name}&contentType={type}", new StringContent(bytes)))
        .Expect(HttpStatusCode.Created);

    private static string[] Sorted(string patch) =>
        [.. JsonNode.Parse(patch)!.AsArray().Select(one => one!.ToJsonString()).Order(StringComparer.Ordinal)];

    private static async Task<JsonArray> IncludesAsync(TestServer server, string query) =>
        (await server.SendAsync("GET", $"~/docs?id=a&{query}")).Expect(HttpStatusCode.OK)
        .Json["RevisionIncludes"]!.AsArray();

    private static async Task<TestServer> WithRevisionsAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        return server;
    }
}
