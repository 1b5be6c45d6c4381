using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>Rules for data in dumps: those of the dump, and those of the database that takes it.</summary>
public sealed class DumpRulesTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const string Unique = """{"Collections":{"Users":{"Constraints":[{"Name":"V","Fields":["V"]}]}}}""";

    private const string Schema =
        """{"ValidatorsPerCollection":{"Users":{"Schema":"{\"properties\":{\"V\":{\"type\":\"integer\"}}}"}}}""";

    private readonly TestServer _server = fixture.Server;

    [Fact]
    public async Task Rules_of_a_dump_take_effect_behind_its_documents_and_leave_none_out()
    {
        byte[] dump = await DumpAsync("ruled", withRules: true);
        await _server.CreateAsync("ruledCopy");
        JsonNode result = await _server.ImportAsync(dump, "ruledCopy");
        Assert.Equal(3, (int)result["Documents"]!["ReadCount"]!);
        JsonNode state = (await _server.SendAsync("GET", "/databases/ruledCopy/unique-constraints/state")).Json;
        Assert.Equal(("Violated", 1), ((string?)state["Results"]![0]!["State"], (int)state["Results"]![0]!["Excess"]!));
        JsonNode found = (await _server.SendAsync(
            "GET", "/databases/ruledCopy/schema-validation/violations?collection=Users")).Json;
        Assert.Equal("users/3", (string?)Assert.Single(found["Results"]!.AsArray())!["Id"]);
    }

    [Fact]
    public async Task A_document_that_breaks_a_rule_of_the_database_is_left_out_and_counted()
    {
        byte[] dump = await DumpAsync("free", withRules: false);
        await _server.CreateAsync("strict");
        await ConfigureAsync("strict");
        JsonNode result = await _server.ImportAsync(dump, "strict");
        Assert.Equal(
            (1, 2), ((int)result["Documents"]!["ReadCount"]!, (int)result["Documents"]!["ErroredCount"]!));
        Assert.Contains(
            "'users/1'", result.ToJsonString().Replace("\\u0027", "'", StringComparison.Ordinal),
            StringComparison.Ordinal);
        Assert.Equal(200, (await _server.SendAsync("GET", "/databases/strict/docs?id=users/1")).Status);
        Assert.Equal(404, (await _server.SendAsync("GET", "/databases/strict/docs?id=users/2")).Status);
        Assert.Equal(404, (await _server.SendAsync("GET", "/databases/strict/docs?id=users/3")).Status);
    }

    private async Task<byte[]> DumpAsync(string database, bool withRules)
    {
        await _server.CreateAsync(database);
        foreach ((string id, string value) in new[] { ("users/1", "1"), ("users/2", "1.0"), ("users/3", "\"x\"") })
        {
            (await _server.SendAsync(
                "PUT", $"/databases/{database}/docs?id={id}",
                $$"""{"V":{{value}},"@metadata":{"@collection":"Users"} }""")).Expect(HttpStatusCode.Created);
        }

        if (withRules)
        {
            await ConfigureAsync(database);
        }

        return await _server.ExportAsync(database);
    }

    private async Task ConfigureAsync(string database)
    {
        (await _server.SendAsync("POST", $"/databases/{database}/admin/unique-constraints/config", Unique))
            .Expect(HttpStatusCode.OK);
        (await _server.SendAsync("POST", $"/databases/{database}/admin/schema-validation/config", Schema))
            .Expect(HttpStatusCode.OK);
    }
}
