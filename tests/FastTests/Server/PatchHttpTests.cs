using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>PATCH by JavaScript: of one document and as commands of a batch.</summary>
public sealed class PatchHttpTests
{
    [Fact]
    public async Task A_patch_changes_the_document_and_is_answered_with_its_new_version()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", """{"Name":"a","Age":3,"@metadata":{"@collection":"Users"}}""");
        JsonNode result = await PatchAsync(server, "users/1", "this.Age += args.by", """{"by":4}""");
        Assert.Equal("Patched", (string?)result["Status"]);
        Assert.Equal(7, (int)result["ModifiedDocument"]!["Age"]!);
        Assert.Equal("Users", (string?)result["Collection"]);
        JsonNode stored = await GetAsync(server, "users/1");
        Assert.Equal(7, (int)stored["Age"]!);
        Assert.Equal((string?)result["ChangeVector"], (string?)stored["@metadata"]!["@change-vector"]);
        Assert.True(JsonNode.DeepEquals(result["ModifiedDocument"], stored));
    }

    [Fact]
    public async Task A_patch_that_changes_nothing_makes_no_new_version()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string before = await server.PutAsync("users/1", """{"Name":"a","Age":3}""");
        foreach (string script in new[]
        {
            "", "this.Age = 3", "this.X = 1; delete this.X",
            "this['@metadata'] = {'@id': 'x'}; delete this['@metadata']",
        })
        {
            HttpAnswer answer = await server.SendAsync("PATCH", "~/docs?id=users/1", Body(script));
            Assert.Equal("NotModified", (string?)answer.Expect(HttpStatusCode.OK).Json["Status"]);
        }

        Assert.Equal(before, (string?)(await GetAsync(server, "users/1"))["@metadata"]!["@change-vector"]);
    }

    [Fact]
    public async Task A_patch_creates_a_missing_document_only_with_PatchIfMissing()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PATCH", "~/docs?id=a", Body("this.X = 1"))).Expect(HttpStatusCode.NotFound);
        HttpAnswer answer = await server.SendAsync(
            "PATCH", "~/docs?id=a",
            """{"Patch":{"Script":"this.X = 1"},"PatchIfMissing":{"Script":"this.X = args.x","Values":{"x":5}}}""");
        Assert.Equal("Created", (string?)answer.Expect(HttpStatusCode.OK).Json["Status"]);
        Assert.Equal(5, (int)(await GetAsync(server, "a"))["X"]!);
    }

    [Fact]
    public async Task A_patch_with_a_stale_change_vector_is_refused_or_skipped_as_its_option_says()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string version = await server.PutAsync("a", """{"X":0}""");
        (await server.SendAsync("PATCH", "~/docs?id=a", Body("this.X++"), "If-Match: \"A:9-x\""))
            .ExpectError(409, "A:9-x");
        HttpAnswer skipped = await server.SendAsync(
            "PATCH", "~/docs?id=a&skipPatchIfChangeVectorMismatch=true", Body("this.X++"), "If-Match: \"A:9-x\"");
        Assert.Empty(skipped.Expect(HttpStatusCode.NotModified).Bytes);
        (await server.SendAsync("PATCH", "~/docs?id=a", Body("this.X++"), $"If-Match: \"{version}\""))
            .Expect(HttpStatusCode.OK);
        Assert.Equal(1, (int)(await GetAsync(server, "a"))["X"]!);
    }

    [Fact]
    public async Task A_test_of_a_patch_writes_nothing_and_reports_what_its_script_did()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"X":1}""");
        string script = "output('hello'); put('b/', {Y: 1}); del('c'); this.X = load('a').X + 1";
        JsonNode result = await PatchAsync(server, "a", script, "{}", "&test=true");
        Assert.Equal("Patched", (string?)result["Status"]);
        Assert.Equal(2, (int)result["ModifiedDocument"]!["X"]!);
        Assert.Equal(1, (int)result["OriginalDocument"]!["X"]!);
        Assert.Equal("hello", (string?)result["Debug"]!["Output"]![0]);
        JsonNode actions = result["Debug"]!["Actions"]!;
        Assert.Equal(1, (int)actions["PutDocument"]![0]!["Data"]!["Y"]!);
        Assert.Equal("a", (string?)actions["LoadDocument"]![0]);
        Assert.Equal("c", (string?)actions["DeleteDocument"]![0]);
        Assert.Equal(1, (int)(await GetAsync(server, "a"))["X"]!);
        HttpAnswer all = await server.SendAsync("GET", "~/docs");
        Assert.Single(all.Json["Results"]!.AsArray());
    }

    [Fact]
    public async Task A_patch_script_writes_and_deletes_other_documents_in_the_same_transaction()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"X":1}""");
        await server.PutAsync("old", "{}");
        await PatchAsync(server, "a", """
            this.First = put('logs/', {Of: id(this)});
            this.Second = put('seq|', {});
            this.Third = put('seq|', {});
            this.Deleted = del('old');
            this.Again = load('old') === null;
            this.Likes = (incrementCounter(this, 'likes', 3), incrementCounter(this, 'likes'), counter(this, 'likes'));
            """, "{}");
        JsonNode stored = await GetAsync(server, "a");
        Assert.Equal("a", (string?)(await GetAsync(server, (string)stored["First"]!))["Of"]);
        Assert.Equal("seq/1", (string?)stored["Second"]);
        Assert.Equal("seq/2", (string?)stored["Third"]);
        Assert.True((bool)stored["Deleted"]! && (bool)stored["Again"]!);
        Assert.Equal(4, (int)stored["Likes"]!);
        Assert.Equal("likes", (string?)stored["@metadata"]!["@counters"]![0]);
        (await server.SendAsync("GET", "~/docs?id=old")).Expect(HttpStatusCode.NotFound);
        HttpAnswer next = await server.SendAsync("POST", "~/identity/next?name=seq");
        Assert.Equal(3, (int)next.Json["NewIdentityValue"]!);
    }

    [Theory]
    [InlineData("while (true) {}", "Steps")]
    [InlineData("const f = () => f(); f()", "CallDepth")]
    [InlineData("let s = 'x'; while (true) s += s;", "StringLength")]
    [InlineData("this. = 1", "line 1, column 24")]
    [InlineData("throw new Error('mine')", "mine")]
    [InlineData("nothing.x", "nothing")]
    [InlineData("put('x', 5)", "object")]
    [InlineData("put('a', {'@metadata': 7})", "@metadata")]
    public async Task A_patch_script_that_fails_is_answered_with_400_and_the_reason_and_changes_nothing(
        string script, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync(o => o with { ScriptStepsMax = 100_000 });
        string before = await server.PutAsync("a", "{}");
        (await server.SendAsync("PATCH", "~/docs?id=a", Body($"put('left', {{}}); {script}"))).ExpectError(400, says);
        Assert.Equal(before, (string?)(await GetAsync(server, "a"))["@metadata"]!["@change-vector"]);
        (await server.SendAsync("GET", "~/docs?id=left")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task No_increment_is_lost_between_patches_of_one_document()
    {
        const int writers = 16;
        const int each = 12;
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"X":0}""");
        await server.PutAsync("b", """{"X":0}""");
        await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < each; i++)
            {
                // What is read of "b" must be what is written back, though others do the same.
                string script = "this.X++; const b = load('b'); b.X = this.X; put('b', b)";
                (await server.SendAsync("PATCH", "~/docs?id=a", Body(script))).Expect(HttpStatusCode.OK);
            }
        })));
        Assert.Equal(writers * each, (int)(await GetAsync(server, "a"))["X"]!);
        Assert.Equal(writers * each, (int)(await GetAsync(server, "b"))["X"]!);
    }

    [Fact]
    public async Task A_patch_of_a_batch_sees_the_results_of_the_commands_before_it()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs", """
            {"Commands":[
              {"Type":"PUT","Id":"a","Document":{"X":1}},
              {"Type":"PATCH","Id":"a","Patch":{"Script":"this.X++"},"ReturnDocument":true},
              {"Type":"DELETE","Id":"a"},
              {"Type":"PATCH","Id":"a","Patch":{"Script":"this.X++"}},
              {"Type":"PATCH","Id":"b","Patch":{"Script":""},"CreateIfMissing":{"Made":true}},
              {"Type":"BatchPATCH","Ids":[{"Id":"a"},{"Id":"b"}],"Patch":{"Script":"this.B = id(this)"}},
              {"Type":"JsonPatch","Id":"b","JsonPatch":[
                {"op":"add","path":"/L","value":[1,3]},{"op":"add","path":"/L/1","value":2},
                {"op":"copy","from":"/L/0","path":"/C"},{"op":"move","from":"/B","path":"/M"},
                {"op":"test","path":"/L","value":[1,2,3]},{"op":"replace","path":"/Made","value":"yes"},
                {"op":"remove","path":"/L/0"}],"ReturnDocument":true}]}
            """);
        JsonArray results = answer.Expect(HttpStatusCode.Created).Json["Results"]!.AsArray();
        Assert.Equal(
            ["PUT", "PATCH", "DELETE", "PATCH", "PATCH", "BatchPATCH", "JsonPatch"],
            results.Select(result => (string)result!["Type"]!));
        Assert.Equal(2, (int)results[1]!["ModifiedDocument"]!["X"]!);
        Assert.Equal("DocumentDoesNotExist", (string?)results[3]!["PatchStatus"]);
        Assert.Equal("Created", (string?)results[4]!["PatchStatus"]);
        JsonNode b = await GetAsync(server, "b");
        Assert.Equal("""{"C":1,"L":[2,3],"M":"b","Made":"yes"}""", Without(b));
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("""[{"op":"test","path":"/X","value":2}]""", "another one")]
    [InlineData("""[{"op":"remove","path":"/Y"}]""", "nothing at '/Y'")]
    [InlineData("""[{"op":"add","path":"/L/7","value":2}]""", "no index")]
    [InlineData("""[{"op":"zap","path":"/X"}]""", "no operation")]
    [InlineData("""[{"op":"add","path":"X","value":2}]""", "not a path")]
    public async Task A_JSON_patch_that_cannot_be_applied_changes_nothing(string operations, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"X":1,"L":[]}""");
        string body = $$"""
            {"Commands":[{"Type":"JsonPatch","Id":"a","JsonPatch":[{"op":"add","path":"/Z","value":1}]},
              {"Type":"JsonPatch","Id":"a","JsonPatch":{{operations}}}]}
            """;
        (await server.SendAsync("POST", "~/bulk_docs", body)).ExpectError(400, says);
        Assert.Null((await GetAsync(server, "a"))["Z"]);
    }

    private static string Body(string script, string values = "{}") =>
        $"{{\"Patch\":{{\"Script\":{JsonSerializer.Serialize(script)},\"Values\":{values}}}}}";

    private static string Without(JsonNode document)
    {
        JsonObject copy = document.DeepClone().AsObject();
        copy.Remove("@metadata");
        return copy.ToJsonString();
    }

    private static async Task<JsonNode> PatchAsync(
        TestServer server, string id, string script, string values, string query = "") =>
        (await server.SendAsync("PATCH", $"~/docs?id={id}{query}", Body(script, values)))
            .Expect(HttpStatusCode.OK).Json;

    private static async Task<JsonNode> GetAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/docs?id={id}")).Expect(HttpStatusCode.OK).Json["Results"]![0]!;
}
