using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Rules that documents keep to, over HTTP: unique values and schemas, on every way in.</summary>
public sealed class RulesHttpTests
{
    private const string Unique =
        """{"Collections":{"Users":{"Constraints":[{"Name":"Mail","Fields":["Mail"],"IgnoreCase":true}]}}}""";

    private const string Schema =
        """
        {"ValidatorsPerCollection":{"Users":{"Schema":
         "{\"required\":[\"Age\"],\"properties\":{\"Age\":{\"type\":\"integer\",\"minimum\":0}}}"}}}
        """;

    [Fact]
    public async Task A_value_that_must_be_unique_is_kept_on_every_way_in()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/unique-constraints/config", Unique)).Expect(HttpStatusCode.OK);
        await server.PutAsync("users/1", """{"Mail":"a@b","@metadata":{"@collection":"Users"}}""");
        string second = """{"Mail":"A@B","@metadata":{"@collection":"Users"}}""";
        HttpAnswer refused = await server.SendAsync("PUT", "~/docs?id=users/2", second);
        refused.ExpectError(409, "users/1");
        Assert.Equal(
            ("users/2", "users/1", "Users", "Mail", "[\"Mail\"]", "[\"\\\"A@B\\\"\"]"),
            ((string?)refused.Json["Id"], (string?)refused.Json["Holder"], (string?)refused.Json["Collection"],
                (string?)refused.Json["Constraint"], refused.Json["Fields"]!.ToJsonString(),
                refused.Json["Values"]!.ToJsonString().Replace("\\u0022", "\\\"", StringComparison.Ordinal)));
        Assert.EndsWith("UniqueConstraintException", (string?)refused.Json["Type"], StringComparison.Ordinal);
        (await server.SendAsync("POST", "~/bulk_docs", $$"""
            {"Commands":[{"Type":"PUT","Id":"x","Document":{} },{"Type":"PUT","Id":"users/2","Document":{{second}} }]}
            """)).ExpectError(409, "Mail = ");
        await server.PutAsync("users/3", """{"Mail":"c@d","@metadata":{"@collection":"Users"}}""");
        (await server.SendAsync("PATCH", "~/docs?id=users/3", """{"Patch":{"Script":"this.Mail = 'a@b';"}}"""))
            .ExpectError(409, "users/1");
        (await server.SendAsync("POST", "~/bulk_insert", $$"""
            [{"Type":"PUT","Id":"users/4","Document":{"Mail":"e@f","@metadata":{"@collection":"Users"} } },
             {"Type":"PUT","Id":"users/2","Document":{{second}} }]
            """)).ExpectError(409, "users/1");
        Assert.Equal(200, (await server.SendAsync("GET", "~/docs?id=users/4")).Status);
        foreach (string id in new[] { "x", "users/2" })
        {
            Assert.Equal(404, (await server.SendAsync("GET", $"~/docs?id={id}")).Status);
        }

        (await server.SendAsync("DELETE", "~/docs?id=users/1")).Expect(HttpStatusCode.NoContent);
        await server.PutAsync("users/2", second);
        JsonNode state = (await server.SendAsync("GET", "~/unique-constraints/state")).Json["Results"]![0]!;
        Assert.Equal(("Active", 0), ((string?)state["State"], (int)state["Excess"]!));
    }

    [Fact]
    public async Task A_schema_is_kept_on_every_way_in_and_documents_from_before_are_named()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/old", """{"Age":-1,"@metadata":{"@collection":"Users"}}""");
        (await server.SendAsync("POST", "~/admin/schema-validation/config", Schema)).Expect(HttpStatusCode.OK);
        string bad = """{"Age":1.5,"@metadata":{"@collection":"users"}}""";
        HttpAnswer refused = await server.SendAsync("PUT", "~/docs?id=users/1", bad);
        refused.ExpectError(400, "Document 'users/1' breaks the schema of collection 'Users': Age must be integer");
        Assert.Equal(
            "Raven.Client.Exceptions.SchemaValidation.SchemaValidationException", (string?)refused.Json["Type"]);
        (await server.SendAsync("POST", "~/bulk_docs", $$"""
            {"Commands":[{"Type":"PUT","Id":"x","Document":{} },{"Type":"PUT","Id":"users/1","Document":{{bad}} }]}
            """)).ExpectError(400, "Document 'users/1'");
        await server.PutAsync("users/2", """{"Age":2,"@metadata":{"@collection":"Users"}}""");
        (await server.SendAsync("PATCH", "~/docs?id=users/2", """{"Patch":{"Script":"delete this.Age;"}}"""))
            .ExpectError(400, "'Age'");
        (await server.SendAsync("POST", "~/bulk_insert", $$"""[{"Type":"PUT","Id":"users/1","Document":{{bad}} }]"""))
            .ExpectError(400, "integer");
        foreach (string id in new[] { "x", "users/1" })
        {
            Assert.Equal(404, (await server.SendAsync("GET", $"~/docs?id={id}")).Status);
        }

        JsonNode found = (await server.SendAsync("GET", "~/schema-validation/violations?collection=users")).Json;
        Assert.Equal((2, null), ((int)found["Checked"]!, (long?)found["NextEtag"]));
        JsonNode one = Assert.Single(found["Results"]!.AsArray())!;
        Assert.Equal(
            ("users/old", "Age", "minimum", "#/properties/Age"),
            ((string?)one["Id"], (string?)one["Path"], (string?)one["Keyword"], (string?)one["Place"]));
        (await server.SendAsync("GET", "~/schema-validation/violations?collection=Others")).ExpectError(400, "Others");
    }

    [Fact]
    public async Task Violations_are_read_page_by_page()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < 5; i++)
        {
            await server.PutAsync($"users/{i}", """{"@metadata":{"@collection":"Users"}}""");
        }

        (await server.SendAsync("POST", "~/admin/schema-validation/config", Schema)).Expect(HttpStatusCode.OK);
        List<string?> ids = [];
        long? next = 0;
        while (next is not null)
        {
            JsonNode page = (await server.SendAsync(
                "GET", $"~/schema-validation/violations?collection=Users&pageSize=2&etag={next}")).Json;
            ids.AddRange(page["Results"]!.AsArray().Select(one => (string?)one!["Id"]));
            next = (long?)page["NextEtag"];
        }

        Assert.Equal(["users/0", "users/1", "users/2", "users/3", "users/4"], ids);
    }

    [Fact]
    public async Task Rules_are_members_of_the_record_and_go_with_dumps()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string made = $$"""
            {"DatabaseName":"made","UniqueConstraints":{{Unique}},"SchemaValidation":{{Schema}},
             "DataArchival":{"ArchiveFrequencyInSec":77},"RevisionsBin":{"MinimumEntriesAgeToKeepInMin":5} }
            """;
        (await server.SendAsync("PUT", "/admin/databases?name=made", made)).Expect(HttpStatusCode.Created);
        JsonNode record = (await server.SendAsync("GET", "/databases/made/admin/record")).Json;
        Assert.Equal(
            "Mail", (string?)record["UniqueConstraints"]!["Collections"]!["Users"]!["Constraints"]![0]!["Name"]);
        Assert.NotNull(record["SchemaValidation"]!["ValidatorsPerCollection"]!["Users"]);
        Assert.Equal(77, (int)record["DataArchival"]!["ArchiveFrequencyInSec"]!);
        Assert.Equal(5, (int)record["RevisionsBin"]!["MinimumEntriesAgeToKeepInMin"]!);
        string user = """{"Age":1,"Mail":"a","@metadata":{"@collection":"Users"}}""";
        await server.PutAsync("users/1", user);
        (await server.SendAsync("PUT", "/databases/made/docs?id=users/1", user)).Expect(HttpStatusCode.Created);
        HttpAnswer dump = await server.SendAsync("POST", "/databases/made/smuggler/export", "{}");
        dump.Expect(HttpStatusCode.OK);
        Assert.Null((await server.SendAsync("GET", "~/admin/record")).Json["UniqueConstraints"]);
    }

    [Theory]
    [InlineData(null, "users/2")]
    [InlineData("ExcludeArchived", "users/2")]
    [InlineData("IncludeArchived", "users/1,users/2")]
    [InlineData("ArchivedOnly", "users/1")]
    public async Task An_index_takes_archived_documents_as_its_definition_says(string? behavior, string ids)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", """{"N":1,"@metadata":{"@collection":"Users"}}""");
        await server.PutAsync("users/2", """{"N":1,"@metadata":{"@collection":"Users","@archived":false}}""");
        string option = behavior is null ? "" : $"\"ArchivedDataProcessingBehavior\":\"{behavior}\",";
        await server.SendAsync("PUT", "~/indexes", $$"""
            {"Indexes":[{"Name":"I",{{option}}"Maps":["map('Users', u => ({ N: u.N }))"]}]}
            """);
        Assert.Equal(behavior == "ArchivedOnly" ? "" : "users/1,users/2", await IdsAsync(server, "from index 'I'"));
        await server.PutAsync("users/1", """{"N":1,"@metadata":{"@collection":"Users","@archived":true}}""");
        Assert.Equal(ids, await IdsAsync(server, "from index 'I'"));
        Assert.Equal("users/1,users/2", await IdsAsync(server, "from Users"));

        // Another behaviour builds the index anew.
        await server.SendAsync("PUT", "~/indexes", """
            {"Indexes":[{"Name":"I","ArchivedDataProcessingBehavior":"ArchivedOnly",
             "Maps":["map('Users', u => ({ N: u.N }))"]}]}
            """);
        await Deadline.UntilAsync(async () => await IdsAsync(server, "from index 'I'") == "users/1");
    }

    [Fact]
    public async Task A_revert_that_would_break_a_rule_fails_and_says_which()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        await server.PutAsync("users/1", """{"Mail":"a","@metadata":{"@collection":"Users"}}""");
        string time = (string)(await server.SendAsync("GET", "~/docs?id=users/1"))
            .Json["Results"]![0]!["@metadata"]!["@last-modified"]!;
        await server.PutAsync("users/1", """{"Mail":"b","Age":1,"@metadata":{"@collection":"Users"}}""");
        (await server.SendAsync("POST", "~/admin/schema-validation/config", Schema)).Expect(HttpStatusCode.OK);
        HttpAnswer started = await server.SendAsync("POST", "~/revisions/revert", $$"""{"Time":"{{time}}"}""");
        started.Expect(HttpStatusCode.OK);
        string state = "";
        await Deadline.UntilAsync(async () =>
        {
            state = (await server.SendAsync("GET", $"~/operations/state?id={started.Json["OperationId"]}")).Text;
            return state.Contains("\"Faulted\"", StringComparison.Ordinal)
                || state.Contains("\"Completed\"", StringComparison.Ordinal);
        });
        Assert.Contains("breaks the schema of collection", state, StringComparison.Ordinal);
        Assert.Contains("\"b\"", (await server.SendAsync("GET", "~/docs?id=users/1")).Text, StringComparison.Ordinal);
    }

    private static async Task<string> IdsAsync(TestServer server, string query)
    {
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/queries", $$"""{"Query":"{{query}}","WaitForNonStaleResults":true}""");
        return string.Join(',', answer.Json["Results"]!.AsArray()
            .Select(one => (string?)one!["@metadata"]!["@id"]).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(
        "~/admin/unique-constraints/config", """{"Collections":{"U":{"Constraints":[{"Name":"N"}]}}}""", "Fields")]
    [InlineData(
        "~/admin/schema-validation/config",
        """{"ValidatorsPerCollection":{"U":{"Schema":"{\"$ref\":\"#\"}"}}}""", "leads to itself")]
    [InlineData("~/admin/schema-validation/config", """{"ValidatorsPerCollection":{"U":{}}}""", "Schema")]
    [InlineData("~/admin/data-archival/config", """{"ArchiveFrequencyInSec":0}""", "ArchiveFrequencyInSec")]
    [InlineData("~/admin/revisions/bin-cleaner/config", """{}""", "MinimumEntriesAgeToKeepInMin")]
    public async Task A_configuration_that_is_wrong_is_refused(string path, string body, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", path, body)).ExpectError(400, says);
    }
}
