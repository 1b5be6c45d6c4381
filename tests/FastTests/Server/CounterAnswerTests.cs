using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What clients read of counters: in answers, along with results, and of their changes.</summary>
public sealed class CounterAnswerTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Fault", "A4")]
    public async Task A_new_counter_is_reported_as_Put_its_later_changes_as_Increment_and_its_deletion_as_Delete()
    {
        await Server.PutAsync("changes/1", "{}");
        using ChangesClient client = await ChangesClient.ConnectAsync(Server);
        await client.WatchAsync("watch-document-counters", "changes/1");
        await ChangeAsync("changes/1", """{"Type":"Increment","CounterName":"x","Delta":2}""");
        Assert.Equal("Put x 2", await NextAsync(client));
        await ChangeAsync("changes/1", """{"Type":"Increment","CounterName":"X","Delta":3}""");
        Assert.Equal("Increment X 5", await NextAsync(client));
        await ChangeAsync("changes/1", """{"Type":"Put","CounterName":"x","Delta":9}""");
        Assert.Equal("Put x 9", await NextAsync(client));
        await ChangeAsync("changes/1", """{"Type":"Delete","CounterName":"x"}""");
        Assert.Equal("Delete x", (await NextAsync(client))[..8]);

        // Within one batch the first operation makes it, even in a script.
        const string script = "incrementCounter(this, 'y', 1); incrementCounter(this, 'y', 1);";
        (await Server.SendAsync("PATCH", "~/docs?id=changes/1", $$"""{"Patch":{"Script":"{{script}}"} }"""))
            .Expect(HttpStatusCode.OK);
        Assert.Equal("Put y 1", await NextAsync(client));
        Assert.Equal("Increment y 2", await NextAsync(client));
    }

    [Fact]
    [Trait("Fault", "A5")]
    public async Task A_query_includes_the_counters_of_the_documents_that_its_path_names_and_of_no_others()
    {
        await PutUserAsync("boss/1", "none", 1);
        await PutUserAsync("worker/1", "boss/1", 10);
        await PutUserAsync("worker/2", "boss/1", 20);
        JsonNode answer = await QueryAsync(
            "from Workers as w where startsWith(id(), 'worker/') include counters(w.Boss, 'likes')");
        Assert.Equal("boss/1: Likes=1", Included(answer));
        Assert.Equal("""{"boss/1":["likes"]}""", answer["IncludedCounterNames"]!.ToJsonString());

        answer = await QueryAsync(
            "from Workers as w where w.Likes = 20 select w.Likes "
            + "include counters(w, 'likes'), counters(w, 'none'), counters(w.Boss)");
        Assert.Equal("worker/2: Likes=20 null; boss/1: Likes=1", Included(answer));
        Assert.Equal(
            """{"worker/2":["likes","none"],"boss/1":[]}""", answer["IncludedCounterNames"]!.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "A5")]
    public async Task A_document_with_counters_included_by_several_paths_is_listed_once_with_all_names()
    {
        await PutUserAsync("twice/1", "twice/1", 4);
        JsonNode answer = await QueryAsync(
            "from Workers as w where id() = 'twice/1' include counters(w.Boss, 'likes'), counters(w, 'x')");
        Assert.Equal("""{"twice/1":["likes","x"]}""", answer["IncludedCounterNames"]!.ToJsonString());
        (await Server.SendAsync(
            "POST", "~/queries", QueryHttpTests.Body("from Workers as w include counters('likes', w.Boss)")))
            .ExpectError(400, "behind the path");
    }

    [Fact]
    [Trait("Fault", "A12")]
    public async Task Entries_of_a_list_of_counters_that_are_null_are_skipped_and_a_null_name_is_answered_with_null()
    {
        await Server.PutAsync("nulls/1", "{}");
        HttpAnswer answer = await Server.SendAsync(
            "POST", "~/counters",
            """
            {"Documents":[null,{"DocumentId":"nulls/1","Operations":[null,
                {"Type":"Increment","CounterName":"a","Delta":1},
                {"Type":"Get","CounterName":null},{"Type":"Get","CounterName":"a"}]}]}
            """);
        Assert.Equal("a=1 null a=1", Told(answer.Expect(HttpStatusCode.OK).Json["Counters"]!));
        answer = await Server.SendAsync("GET", "~/counters?docId=nulls/1&counter=a&counter=&full=true");
        JsonArray counters = answer.Expect(HttpStatusCode.OK).Json["Counters"]!.AsArray();
        Assert.Equal(2, counters.Count);
        Assert.Null(counters[1]);
        (await Server.SendAsync(
            "POST", "~/bulk_docs",
            """
            {"Commands":[{"Type":"Counters","Id":"nulls/1","Counters":{"DocumentId":"nulls/1","Operations":[null,
                {"Type":"Increment","CounterName":"a","Delta":1}]}}]}
            """)).Expect(HttpStatusCode.Created);
        (await Server.SendAsync(
            "POST", "~/counters",
            """{"Documents":[{"DocumentId":"nulls/1","Operations":[{"Type":"Delete","CounterName":null}]}]}"""))
            .ExpectError(400, "CounterName");
    }

    [Fact]
    [Trait("Fault", "E23")]
    public async Task A_counter_has_the_name_of_the_request_or_its_stored_name_if_the_request_names_none()
    {
        await PutUserAsync("names/1", "none", 3);
        Assert.Equal("likes", await NameAsync("~/counters?docId=names/1&counter=likes"));
        Assert.Equal("LIKES", await NameAsync("~/counters?docId=names/1&counter=LIKES&full=true"));
        Assert.Equal("Likes", await NameAsync("~/counters?docId=names/1"));
    }

    private static string Told(JsonNode counters) => string.Join(
        ' ', counters.AsArray().Select(one => one is null ? "null" : $"{one["CounterName"]}={one["TotalValue"]}"));

    private static string Included(JsonNode answer) => string.Join(
        "; ", answer["CounterIncludes"]!.AsObject().Select(one => $"{one.Key}: {Told(one.Value!)}"));

    private static async Task<string> NextAsync(ChangesClient client)
    {
        JsonNode value = (await client.NextAsync())!["Value"]!;
        return $"{value["Type"]} {value["Name"]} {value["Value"]}";
    }

    private async Task<string?> NameAsync(string path) =>
        (string?)(await Server.SendAsync("GET", path)).Expect(HttpStatusCode.OK).Json["Counters"]![0]!["CounterName"];

    private async Task<JsonNode> QueryAsync(string query) =>
        (await Server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query))).Expect(HttpStatusCode.OK).Json;

    private async Task PutUserAsync(string id, string boss, int likes)
    {
        await Server.PutAsync(
            id, $$$"""{"Boss":"{{{boss}}}","Likes":{{{likes}}},"@metadata":{"@collection":"Workers"}}""");
        await ChangeAsync(id, $$"""{"Type":"Increment","CounterName":"Likes","Delta":{{likes}}}""");
    }

    private async Task ChangeAsync(string id, string operation) =>
        (await Server.SendAsync(
            "POST", "~/counters", $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":[{{operation}}]}]}"""))
            .Expect(HttpStatusCode.OK);
}
