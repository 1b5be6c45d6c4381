using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What a patch answers, and which operations of a JSON Patch are none.</summary>
public sealed class PatchAnswerTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Fault", "E4")]
    public async Task A_patch_that_changes_nothing_is_answered_as_NotModified_with_the_stored_document()
    {
        string version = await Server.PutAsync("same/1", """{"A":1,"@metadata":{"@collection":"Sames"}}""");
        JsonNode stored = (await Server.SendAsync("GET", "~/docs?id=same/1")).Json["Results"]![0]!;
        const string body = """{"Patch":{"Script":"this.A = 1"}}""";
        JsonNode answer = (await Server.SendAsync("PATCH", "~/docs?id=same/1", body)).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("NotModified", (string?)answer["Status"]);
        Assert.True(JsonNode.DeepEquals(stored, answer["ModifiedDocument"]), answer.ToJsonString());
        Assert.Equal(version, (string?)answer["ChangeVector"]);
        Assert.Equal("Sames", (string?)answer["Collection"]);

        answer = (await Server.SendAsync(
            "POST", "~/bulk_docs",
            """{"Commands":[{"Type":"PATCH","Id":"same/1","ReturnDocument":true,"Patch":{"Script":"this.A = 1"}}]}"""))
            .Expect(HttpStatusCode.Created).Json["Results"]![0]!;
        Assert.Equal("NotModified", (string?)answer["PatchStatus"]);
        Assert.True(JsonNode.DeepEquals(stored, answer["ModifiedDocument"]), answer.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "E4")]
    public async Task A_patch_that_is_skipped_is_answered_with_304_and_no_body()
    {
        await Server.PutAsync("skipped/1", """{"A":1}""");
        HttpAnswer answer = await Server.SendAsync(
            "PATCH", "~/docs?id=skipped/1&skipPatchIfChangeVectorMismatch=true",
            """{"Patch":{"Script":"this.A = 2"}}""", "If-Match: \"A:1-x\"");
        Assert.Empty(answer.Expect(HttpStatusCode.NotModified).Bytes);
    }

    [Theory]
    [InlineData("""{"op":"add","path":"/a~2b","value":1}""", "behind ~ stands 0 or 1")]
    [InlineData("""{"op":"add","path":"/a~","value":1}""", "behind ~ stands 0 or 1")]
    [InlineData("""{"op":"copy","from":"/A~","path":"/b"}""", "behind ~ stands 0 or 1")]
    [InlineData("""{"op":"remove","path":"/~/A"}""", "behind ~ stands 0 or 1")]
    [InlineData("""{"op":"add","path":"/a"}""", "'add' needs 'value'")]
    [InlineData("""{"op":"replace","path":"/A"}""", "'replace' needs 'value'")]
    [InlineData("""{"op":"test","path":"/A"}""", "'test' needs 'value'")]
    [InlineData("""{"op":"move","path":"/b"}""", "'move' needs 'from'")]
    [InlineData("""{"op":"copy","path":"/b"}""", "'copy' needs 'from'")]
    [InlineData("""{"op":"remove"}""", "'remove' needs 'path'")]
    [InlineData("""{"path":"/A","value":1}""", "is no operation")]
    [InlineData("""{"op":"toString","path":"/A","value":1}""", "is no operation")]
    [InlineData("null", "an operation is an object")]
    [InlineData("""{"op":"add","path":7,"value":1}""", "is not a path")]
    [InlineData("""{"op":"move","from":"/A","path":7}""", "is not a path")]
    [InlineData("""{"op":"replace","path":"/L/length","value":0}""", "there is nothing at")]
    [InlineData("""{"op":"test","path":"/L/length","value":2}""", "there is nothing at")]
    [InlineData("""{"op":"add","path":"/L/01","value":0}""", "is no index")]
    [Trait("Fault", "D13")]
    public async Task A_JSON_patch_that_the_standards_forbid_is_refused_and_changes_nothing(
        string operation, string says)
    {
        const string id = "patched/1";
        string version = await Server.PutAsync(id, """{"A":1,"L":[1,2]}""");
        (await SendAsync(id, operation)).ExpectError(400, says);
        JsonNode after = (await Server.SendAsync("GET", $"~/docs?id={id}")).Json["Results"]![0]!;
        Assert.Equal(version, (string?)after["@metadata"]!["@change-vector"]);
    }

    [Fact]
    [Trait("Fault", "D13")]
    public async Task A_JSON_patch_that_the_standards_allow_is_applied()
    {
        await Server.PutAsync("patched/2", """{"a/b":1,"c~d":2,"e~1f":3,"L":[1]}""");
        (await SendAsync(
            "patched/2",
            """
            {"op":"remove","path":"/a~1b"},{"op":"replace","path":"/c~0d","value":null},
            {"op":"move","from":"/e~01f","path":"/g"},{"op":"add","path":"/L/-","value":2},
            {"op":"test","path":"/L/1","value":2},{"op":"add","path":"/n","value":null}
            """)).Expect(HttpStatusCode.Created);
        JsonObject after = (await Server.SendAsync("GET", "~/docs?id=patched/2")).Json["Results"]![0]!.AsObject();
        after.Remove("@metadata");
        JsonNode wanted = JsonNode.Parse("""{"c~d":null,"L":[1,2],"g":3,"n":null}""")!;
        Assert.True(JsonNode.DeepEquals(wanted, after), after.ToJsonString());
    }

    [Theory]
    [InlineData("9007199254740993", "9007199254740992", false)]
    [InlineData("9007199254740993", "9007199254740993.0", true)]
    [InlineData("18446744073709551610", "18446744073709551611", false)]
    [InlineData("0.12345678901234567891", "0.12345678901234567892", false)]
    [InlineData("1", "1.0", true)]
    [InlineData("-0.0", "0", true)]
    [InlineData("1200", "1.2e3", true)]
    [InlineData("0.0012", "12E-4", true)]
    [InlineData("-5", "5", false)]
    [InlineData("5", "\"5\"", false)]
    [InlineData("null", "0", false)]
    [InlineData("{\"x\":[9007199254740993]}", "{\"x\":[9007199254740992]}", false)]
    [InlineData("{\"x\":[9007199254740993],\"y\":0}", "{\"y\":0,\"x\":[9007199254740993]}", true)]
    [Trait("Fault", "D13")]
    public async Task A_test_of_a_JSON_patch_compares_numbers_digit_by_digit(string stored, string tested, bool isSame)
    {
        await Server.PutAsync("patched/3", $$"""{"a":{{stored}},"l":[{{stored}}]}""");
        foreach (string path in (string[])["/a", "/l/0"])
        {
            HttpAnswer answer = await SendAsync(
                "patched/3",
                $$"""{"op":"test","path":"{{path}}","value":{{tested}}},{"op":"add","path":"/z","value":1}""");
            Assert.True(answer.Status == (isSame ? 201 : 400), answer.Text);
        }
    }

    [Fact]
    [Trait("Fault", "D13")]
    public async Task A_test_of_a_JSON_patch_compares_the_digits_of_numbers_that_the_patch_itself_has_set()
    {
        await Server.PutAsync("patched/4", """{"a":9007199254740993}""");
        (await SendAsync(
            "patched/4",
            """
            {"op":"test","path":"","value":{"a":9007199254740993}},
            {"op":"move","from":"/a","path":"/b"},{"op":"test","path":"/b","value":9007199254740993},
            {"op":"add","path":"/c","value":18446744073709551611},
            {"op":"test","path":"/c","value":18446744073709551611}
            """)).Expect(HttpStatusCode.Created);
        (await SendAsync("patched/4", """{"op":"test","path":"","value":{"b":9007199254740992}}"""))
            .ExpectError(400, "another one");
        (await SendAsync(
            "patched/4",
            """
            {"op":"add","path":"/d","value":9007199254740995},{"op":"test","path":"/d","value":9007199254740996}
            """)).ExpectError(400, "another one");
        string after = (await Server.SendAsync("GET", "~/docs?id=patched/4")).Text;
        Assert.Contains("\"b\":9007199254740993,\"c\":18446744073709551611", after, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("", """{"a":1,"@metadata":{"@collection":"X"}}""", true)]
    [InlineData("/@metadata", """{"@collection":"X"}""", true)]
    [InlineData("/@metadata", """{"@collection":"X","@id":"patched/5"}""", true)]
    [InlineData("/@metadata/@id", "\"patched/5\"", true)]
    [InlineData("", """{"a":1,"@metadata":{"@collection":"Y"}}""", false)]
    [InlineData("/@metadata", """{"@collection":"X","@id":"patched/6"}""", false)]
    [InlineData("/@metadata", "{}", false)]
    [Trait("Fault", "D13")]
    public async Task A_test_of_a_JSON_patch_on_metadata_may_omit_what_the_server_adds(
        string path, string tested, bool isSame)
    {
        await Server.PutAsync("patched/5", """{"a":1,"@metadata":{"@collection":"X"}}""");
        HttpAnswer answer = await SendAsync(
            "patched/5", $$"""{"op":"test","path":"{{path}}","value":{{tested}}}""");
        Assert.True(answer.Status == (isSame ? 201 : 400), answer.Text);
    }

    [Fact]
    [Trait("Fault", "D13")]
    public async Task A_test_of_a_JSON_patch_accepts_the_document_as_the_server_answers_it()
    {
        await Server.PutAsync("patched/6", """{"a":1,"@metadata":{"@collection":"X"}}""");
        await Server.SendAsync(
            "POST", "~/counters",
            """{"Documents":[{"DocumentId":"patched/6","Operations":[{"Type":"Put","CounterName":"c","Delta":1}]}]}""");
        JsonNode answer = (await Server.SendAsync("GET", "~/docs?id=patched/6")).Json["Results"]![0]!;
        Assert.NotNull(answer["@metadata"]!["@counters"]);
        (await SendAsync("patched/6", $$"""{"op":"test","path":"","value":{{answer.ToJsonString()}}}"""))
            .Expect(HttpStatusCode.Created);
        answer["@metadata"]!["@collection"] = "Y";
        (await SendAsync("patched/6", $$"""{"op":"test","path":"","value":{{answer.ToJsonString()}}}"""))
            .ExpectError(400, "another one");
    }

    private Task<HttpAnswer> SendAsync(string id, string operations) => Server.SendAsync(
        "POST", "~/bulk_docs", $$"""{"Commands":[{"Type":"JsonPatch","Id":"{{id}}","JsonPatch":[{{operations}}]}]}""");
}
