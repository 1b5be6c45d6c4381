using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What is returned with a version of a document, what of it is reported, and what cannot be kept.</summary>
public sealed class RevisionAnswerTests : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server;

    public RevisionAnswerTests(DatabaseFixture fixture) => _server = fixture.Server;

    [Fact]
    [Trait("Fault", "D11")]
    public async Task A_revert_restores_the_attachments_of_the_former_version_and_removes_later_ones()
    {
        await KeepAllAsync();
        await _server.PutAsync("back/1", """{"Name":"old"}""");
        await AttachAsync("back/1", "kept", "1");
        await AttachAsync("back/1", "changed", "2");
        await AttachAsync("back/1", "gone", "3");
        await _server.PutAsync("back/2", """{"Name":"old"}""");
        await _server.PutAsync("back/3", """{"Name":"old"}""");
        await AttachAsync("back/3", "of the dead", "4");
        string time = (string)(await MetadataAsync("back/3"))["@last-modified"]!;

        await _server.PutAsync("back/1", """{"Name":"new"}""");
        await AttachAsync("back/1", "changed", "22");
        await AttachAsync("back/1", "added", "5");
        (await _server.SendAsync("DELETE", "~/attachments?id=back/1&name=gone")).Expect(HttpStatusCode.NoContent);
        await AttachAsync("back/2", "added", "6");
        (await _server.SendAsync("DELETE", "~/docs?id=back/3")).Expect(HttpStatusCode.NoContent);
        int before = await RevisionsOfAsync("back/1");

        HttpAnswer started = await _server.SendAsync("POST", "~/revisions/revert", $"{{\"Time\":\"{time}\"}}");
        JsonNode ended = await OperationHttpTests.EndAsync(
            _server, (long)started.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        Assert.Equal("Completed", (string?)ended["Status"]);
        Assert.Equal("changed=2 gone=3 kept=1", await AttachmentsAsync("back/1"));
        Assert.Equal("", await AttachmentsAsync("back/2"));
        Assert.Equal("HasRevisions", (string?)(await MetadataAsync("back/2"))["@flags"]);
        Assert.Equal("of the dead=4", await AttachmentsAsync("back/3"));
        Assert.Equal("HasAttachments, HasRevisions", (string?)(await MetadataAsync("back/3"))["@flags"]);

        // It is one new version with all that belongs to it, and one revision of that.
        Assert.Equal(before + 1, await RevisionsOfAsync("back/1"));
        JsonNode last = (await _server.SendAsync("GET", "~/revisions?id=back/1&pageSize=1")).Json["Results"]![0]!;
        Assert.Equal("old", (string?)last["Name"]);
        Assert.Equal(
            (string?)(await MetadataAsync("back/1"))["@change-vector"], (string?)last["@metadata"]!["@change-vector"]);
        Assert.Equal(3, last["@metadata"]!["@attachments"]!.AsArray().Count);
    }

    [Fact]
    [Trait("Fault", "D11")]
    public async Task A_revert_leaves_the_counters_of_a_document_as_they_are()
    {
        await KeepAllAsync();
        await _server.PutAsync("counted/1", """{"Name":"old"}""");
        await CountAsync("counted/1", "c", 5);
        string time = (string)(await MetadataAsync("counted/1"))["@last-modified"]!;
        await _server.PutAsync("counted/1", """{"Name":"new"}""");
        await CountAsync("counted/1", "c", 7);
        await CountAsync("counted/1", "d", 1);
        HttpAnswer started = await _server.SendAsync("POST", "~/revisions/revert", $"{{\"Time\":\"{time}\"}}");
        await OperationHttpTests.EndAsync(
            _server, (long)started.Expect(HttpStatusCode.OK).Json["OperationId"]!);
        JsonNode document = (await _server.SendAsync("GET", "~/docs?id=counted/1")).Json["Results"]![0]!;
        Assert.Equal("old", (string?)document["Name"]);
        Assert.Equal("""["c","d"]""", document["@metadata"]!["@counters"]!.ToJsonString());
        JsonNode counters = (await _server.SendAsync("GET", "~/counters?docId=counted/1")).Json["Counters"]!;
        Assert.Equal([12, 1], counters.AsArray().Select(one => (int)one!["TotalValue"]!));
        JsonNode statistics = (await _server.SendAsync("GET", "~/stats")).Json;
        Assert.Equal(2, (int)statistics["CountOfCounterEntries"]!);
    }

    [Fact]
    [Trait("Fault", "A14")]
    public async Task A_revisions_configuration_is_answered_with_all_of_its_members()
    {
        const string all = """
            {"Disabled":false,"MinimumRevisionsToKeep":null,"MinimumRevisionAgeToKeep":null,
            """
            + """
            "PurgeOnDelete":false,"MaximumRevisionsToDeleteUponDocumentUpdate":null}
            """;
        Assert.Equal(
            "{\"Default\":" + all + ",\"Collections\":{\"A\":" + all + "}}",
            await ConfiguredAsync("revisions", """{"Default":{},"Collections":{"A":{}}}"""));
        Assert.Equal(
            """{"Default":null,"Collections":{},"X":1}""", await ConfiguredAsync("revisions", """{"X":1}"""));
        Assert.Equal(
            """{"Disabled":true,"DeleteFrequencyInSec":null,"MaxItemsToProcess":null}""",
            await ConfiguredAsync("expiration", """{"Disabled":true}"""));
        Assert.Equal(
            """{"Disabled":true,"RefreshFrequencyInSec":7,"MaxItemsToProcess":null}""",
            await ConfiguredAsync("refresh", """{"RefreshFrequencyInSec":7,"Disabled":true}"""));
        JsonNode record = (await _server.SendAsync("GET", "/admin/databases?name=db")).Json;
        Assert.Equal("""{"Default":null,"Collections":{},"X":1}""", record["Revisions"]!.ToJsonString());
    }

    [Theory]
    [InlineData("""{"Type":"PUT","Id":"new/1","Document":{},"ForceRevisionCreationStrategy":"Before"}""")]
    [InlineData("""{"Type":"PUT","Id":"new/","Document":{},"ForceRevisionCreationStrategy":"Before"}""")]
    [InlineData("""{"Type":"ForceRevisionCreation","Id":"new/1"}""")]
    [Trait("Fault", "A20")]
    public async Task A_forced_revision_of_a_document_that_was_never_saved_is_refused(string command)
    {
        HttpAnswer answer = await _server.SendAsync(
            "POST", "~/bulk_docs", $$$"""{"Commands":[{"Type":"PUT","Id":"beside/1","Document":{}},{{{command}}}]}""");
        answer.ExpectError(
            400, "Can't force revision creation - the document was not saved on the server yet");
        (await _server.SendAsync("GET", "~/docs?id=new/1")).Expect(HttpStatusCode.NotFound);
        (await _server.SendAsync("GET", "~/docs?id=beside/1")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    [Trait("Fault", "A20")]
    public async Task A_forced_revision_of_a_document_that_the_batch_deleted_before_is_refused()
    {
        await _server.PutAsync("forced/1", "{}");
        const string put = """{"Type":"PUT","Id":"forced/1","Document":{},"ForceRevisionCreationStrategy":"Before"}""";
        (await _server.SendAsync("POST", "~/bulk_docs", $$"""{"Commands":[{{put}}]}""")).Expect(HttpStatusCode.Created);
        Assert.NotEqual(0, await RevisionsOfAsync("forced/1"));
        (await _server.SendAsync(
            "POST", "~/bulk_docs", $$$"""{"Commands":[{"Type":"DELETE","Id":"forced/1"},{{{put}}}]}"""))
            .ExpectError(400, "not saved");
    }

    [Fact]
    [Trait("Fault", "E40")]
    public async Task An_included_revision_has_Before_only_if_it_was_requested_by_time()
    {
        await KeepAllAsync();
        string vector = await _server.PutAsync("before/1", """{"@metadata":{"@collection":"Befores"}}""");
        JsonNode by = await IncludedAsync($"~/docs?id=before/1&revisions={Uri.EscapeDataString(vector)}");
        Assert.Equal(["Id", "ChangeVector", "Revision"], by.AsObject().Select(property => property.Key));
        by = await IncludedAsync("~/docs?id=before/1&revisionsBefore=2999-01-01");
        Assert.Equal("2999-01-01T00:00:00.0000000Z", (string?)by["Before"]);
        HttpAnswer query = await _server.SendAsync(
            "POST", "~/queries", QueryHttpTests.Body($"from Befores include revisions('{vector}')"));
        Assert.False(query.Expect(HttpStatusCode.OK).Json["RevisionIncludes"]![0]!.AsObject().ContainsKey("Before"));
    }

    [Theory]
    [InlineData("POST", "~/admin/revisions/config", """{"Collections":{"users":{},"USERS":{}}}""")]
    [InlineData(
        "POST", "~/admin/revisions/config", """{"Collections":{"Usérs":{},"USÉRS":{"Disabled":true}}}""")]
    [InlineData(
        "PUT", "/admin/databases?name=two",
        """{"DatabaseName":"two","Revisions":{"Collections":{"users":{},"USERS":{}}}}""")]
    [Trait("Fault", "E28")]
    public async Task Two_configurations_for_one_collection_in_different_case_are_refused(
        string method, string path, string body) =>
        (await _server.SendAsync(method, path, body)).ExpectError(400, "two configurations");

    private async Task KeepAllAsync() =>
        (await _server.SendAsync(
            "POST", "~/admin/revisions/config", """{"Default":{"Disabled":false},"Collections":{}}"""))
            .Expect(HttpStatusCode.OK);

    private async Task<string> ConfiguredAsync(string what, string configuration)
    {
        (await _server.SendAsync("POST", $"~/admin/{what}/config", configuration)).Expect(HttpStatusCode.OK);
        return (await _server.SendAsync("GET", $"~/{what}/config")).Expect(HttpStatusCode.OK).Text;
    }

    private async Task CountAsync(string id, string name, int delta) =>
        (await _server.SendAsync(
            "POST", "~/counters",
            $$"""
            {"Documents":[{"DocumentId":"{{id}}","Operations":[
                {"Type":"Increment","CounterName":"{{name}}","Delta":{{delta}}}]}]}
            """)).Expect(HttpStatusCode.OK);

    private async Task AttachAsync(string id, string name, string text) =>
        (await _server.SendAsync(
            "PUT", $"~/attachments?id={id}&name={Uri.EscapeDataString(name)}",
            new ByteArrayContent(Encoding.UTF8.GetBytes(text)))).Expect(HttpStatusCode.Created);

    private async Task<JsonNode> IncludedAsync(string path) =>
        (await _server.SendAsync("GET", path)).Expect(HttpStatusCode.OK).Json["RevisionIncludes"]!.AsArray().Single()!;

    private async Task<JsonNode> MetadataAsync(string id) =>
        (await _server.SendAsync("GET", $"~/docs?id={id}")).Expect(HttpStatusCode.OK)
            .Json["Results"]![0]!["@metadata"]!;

    private async Task<string> AttachmentsAsync(string id)
    {
        List<string> found = [];
        foreach (JsonNode? one in (await MetadataAsync(id))["@attachments"]?.AsArray() ?? [])
        {
            string name = (string)one!["Name"]!;
            HttpAnswer answer = await _server.SendAsync(
                "GET", $"~/attachments?id={id}&name={Uri.EscapeDataString(name)}");
            found.Add($"{name}={answer.Expect(HttpStatusCode.OK).Text}");
        }

        return string.Join(' ', found);
    }

    private async Task<int> RevisionsOfAsync(string id) =>
        (int)(await _server.SendAsync("GET", $"~/revisions/count?id={id}")).Json["RevisionsCount"]!;
}
