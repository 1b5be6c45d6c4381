using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>The answer if something does not exist, is no entry, or cannot be had.</summary>
public sealed class MissingValueHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const string Nothing = """{"Results":[null],"Includes":{}}""";

    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Fault", "A12")]
    public async Task An_empty_or_null_id_in_a_list_is_answered_with_null_in_its_place()
    {
        await Server.PutAsync("ids/1", """{"N":1}""");
        await Server.PutAsync("ids/2", """{"N":2}""");
        HttpAnswer get = await Server.SendAsync("GET", "~/docs?id=ids/1&id=&id=ids/2");
        Assert.Equal([1, null, 2], NumbersOf(get));
        Assert.Equal([1, 2, null], NumbersOf(await Server.SendAsync("GET", "~/docs?id=ids/1&id=ids/2&id=&id=")));
        HttpAnswer known = await Server.SendAsync(
            "GET", "~/docs?id=ids/1&id=ids/2&id=", (string?)null, $"If-None-Match: {get.ETag}");
        Assert.Equal([1, 2, null], NumbersOf(known));
        HttpAnswer post = await Server.SendAsync("POST", "~/docs", """{"Ids":["ids/1",null,"ids/2"]}""");
        Assert.Equal([1, null, 2], NumbersOf(post));
        (await Server.SendAsync("GET", "~/docs?id=")).ExpectError(400, "empty");
        (await Server.SendAsync("POST", "~/docs", """{"Ids":[null]}""")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    [Trait("Fault", "E24")]
    public async Task A_single_missing_compare_exchange_key_is_answered_with_404_and_one_of_several_with_an_entry()
    {
        (await Server.SendAsync("GET", "~/cmpxchg?key=none")).ExpectError(404, "'none'");
        const string missing = """[{"Key":"a","Index":-1,"Value":null},{"Key":"b","Index":-1,"Value":null}]""";
        HttpAnswer two = await Server.SendAsync("GET", "~/cmpxchg?key=a&key=b");
        Assert.Equal(missing, two.Expect(HttpStatusCode.OK).Json["Results"]!.ToJsonString());
        (await Server.SendAsync("PUT", "~/cmpxchg?key=there&index=0", """{"Object":1}""")).Expect(HttpStatusCode.OK);
        JsonArray results =
            (await Server.SendAsync("GET", "~/cmpxchg?key=a&key=There&key=b")).Json["Results"]!.AsArray();
        Assert.Equal(["a", "there", "b"], results.Select(one => (string?)one!["Key"]));
        JsonArray inner = await MultiGetAsync("/databases/db/cmpxchg", "?key=a", "?key=a&key=b");
        Assert.Equal(404, (int)inner[0]!["StatusCode"]!);
        Assert.Null(inner[0]!["Result"]);
        Assert.Equal(missing, inner[1]!["Result"]!["Results"]!.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "E44")]
    public async Task A_missing_document_in_a_multi_get_has_a_tag_and_is_answered_with_304_until_it_exists()
    {
        JsonNode first = (await MultiGetAsync("/databases/db/docs", "?id=tagged/1"))[0]!;
        Assert.Equal(404, (int)first["StatusCode"]!);
        Assert.Equal(Nothing, first["Result"]!.ToJsonString());
        string tag = (string)first["Headers"]!["ETag"]!;
        JsonNode again = (await MultiGetKnownAsync(tag))[0]!;
        Assert.Equal(304, (int)again["StatusCode"]!);
        Assert.Null(again["Result"]);
        await Server.PutAsync("tagged/1", """{"N":1}""");
        Assert.Equal(200, (int)(await MultiGetKnownAsync(tag))[0]!["StatusCode"]!);
        (await Server.SendAsync("DELETE", "~/docs?id=tagged/1")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(304, (int)(await MultiGetKnownAsync(tag))[0]!["StatusCode"]!);
        JsonNode unknown = (await MultiGetAsync("/databases/db/zap", "?id=tagged/1"))[0]!;
        Assert.Equal(404, (int)unknown["StatusCode"]!);
        Assert.Null(unknown["Headers"]!["ETag"]);
    }

    [Theory]
    [InlineData("""{"Type":"CompareExchangePUT","Id":"rvn-atomic/u/2","Index":0,"Document":{"Object":1}}""")]
    [InlineData("""{"Type":"CompareExchangeDELETE","Id":"RVN-atomic/u/2","Index":0}""")]
    [Trait("Fault", "E42")]
    public async Task A_client_command_that_changes_an_atomic_guard_is_refused(string command)
    {
        HttpAnswer answer = await Server.SendAsync(
            "POST", "~/bulk_docs",
            $$$"""
            {"TransactionMode":"ClusterWide","Commands":[{"Type":"PUT","Id":"guarded/1","Document":{}},{{{command}}}]}
            """);
        answer.ExpectError(400, "You cannot manipulate the atomic guard '");
        Assert.Contains("-atomic/u/2' via the cluster-wide session", answer.Text, StringComparison.Ordinal);
        (await Server.SendAsync("GET", "~/docs?id=guarded/1")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    [Trait("Fault", "E31")]
    public async Task A_locked_database_is_not_deleted_and_no_command_is_counted_for_it()
    {
        (await Server.SendAsync("PUT", "/admin/databases?name=locked", """{"DatabaseName":"locked"}"""))
            .Expect(HttpStatusCode.Created);
        await LockAsync("PreventDeletesError");
        (await Server.SendAsync("DELETE", "/admin/databases", """{"DatabaseNames":["locked"]}"""))
            .ExpectError(400, "cannot be deleted because of the set lock mode");
        await LockAsync("PreventDeletesIgnore");
        Assert.Equal(-1, (int)(await DeleteAsync())["RaftCommandIndex"]!);
        await LockAsync("Unlock");
        Assert.True((int)(await DeleteAsync())["RaftCommandIndex"]! > 0);
    }

    [Fact]
    [Trait("Fault", "E30")]
    public async Task Ids_collections_and_tags_may_hold_control_characters()
    {
        HttpAnswer lent = await Server.SendAsync("GET", "~/hilo/next?tag=Te%01st");
        Assert.Equal("Te\u0001st/", (string?)lent.Expect(HttpStatusCode.OK).Json["Prefix"]);
        string all = new([.. Enumerable.Range(1, 0x1D).Select(code => (char)code)]);
        string id = $"control\u0001\u0002{all}";
        await Server.PutAsync(id, """{"N":1,"@metadata":{"@collection":"Ta\tbs"}}""");
        HttpAnswer get = await Server.SendAsync("GET", $"~/docs?id={Uri.EscapeDataString(id.ToUpperInvariant())}");
        Assert.Equal(id, (string?)get.Expect(HttpStatusCode.OK).Json["Results"]![0]!["@metadata"]!["@id"]);
        get = await Server.SendAsync("GET", $"~/docs?startsWith={Uri.EscapeDataString("control\u0001\u0002")}");
        Assert.Single(get.Json["Results"]!.AsArray());
        JsonNode stats = (await Server.SendAsync("GET", "~/collections/stats")).Json;
        Assert.Equal(1, (int)stats["Collections"]!["Ta\tbs"]!);
        JsonNode query = await QueryHttpTests.QueryAsync(Server, "from 'Ta\tbs' where N = 1");
        Assert.Equal(1, (int)query["TotalResults"]!);
        foreach (string refused in (string[])["%00", "%1E", "%1F"])
        {
            (await Server.SendAsync("PUT", $"~/docs?id=a{refused}b", "{}")).ExpectError(400, "control character");
        }
    }

    [Theory]
    [InlineData("""{"IdentityPartsSeparator":"|"}""")]
    [InlineData("""{"IdentityPartsSeparator":"--"}""")]
    [InlineData("""{"IdentityPartsSeparator":""}""")]
    [InlineData("""{"IdentityPartsSeparator":7}""")]
    [Trait("Fault", "A20")]
    public async Task An_identity_parts_separator_that_no_id_can_have_is_refused_and_nothing_is_saved(
        string configuration)
    {
        foreach (string path in (string[])["~/admin/configuration/client", "/admin/configuration/client"])
        {
            (await Server.SendAsync("PUT", path, configuration)).ExpectError(400, "IdentityPartsSeparator");
        }

        (await Server.SendAsync("GET", "~/hilo/next?tag=bars&identityPartsSeparator=%7C"))
            .ExpectError(400, "identityPartsSeparator");
        (await Server.SendAsync("GET", "~/docs?id=Raven/Hilo/bars")).Expect(HttpStatusCode.NotFound);
        (await Server.SendAsync("GET", "/configuration/client")).Expect(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("ReadBalanceBehavior", "\"Foo\"")]
    [InlineData("ReadBalanceBehavior", "\"roundRobin\"")]
    [InlineData("LoadBalanceBehavior", "\"zz\"")]
    [InlineData("LoadBalanceBehavior", "1")]
    [InlineData("LoadBalancerContextSeed", "\"x\"")]
    [InlineData("LoadBalancerContextSeed", "4294967296")]
    [InlineData("MaxNumberOfRequestsPerSession", "4294967296")]
    [Trait("Fault", "E16")]
    public async Task A_client_configuration_that_no_client_can_parse_is_refused(string name, string value)
    {
        string configuration = $$"""{"{{name}}":{{value}}}""";
        foreach (string path in (string[])["~/admin/configuration/client", "/admin/configuration/client"])
        {
            (await Server.SendAsync("PUT", path, configuration)).ExpectError(400, name);
        }

        string record = $$"""{"DatabaseName":"odd","Client":{{configuration}}}""";
        (await Server.SendAsync("PUT", "/admin/databases?name=odd", record))
            .ExpectError(400, name);
        (await Server.SendAsync("GET", "/configuration/client")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    [Trait("Fault", "A12")]
    public async Task Null_entries_of_a_list_are_skipped_and_the_others_keep_their_places()
    {
        await Server.PutAsync("null/1", "{}");
        JsonNode counters = (await Server.SendAsync(
            "POST", "~/counters", """{"Documents":[{"DocumentId":"null/1","Operations":null}]}"""))
            .Expect(HttpStatusCode.OK).Json["Counters"]!;
        Assert.Empty(counters.AsArray());
        (await Server.SendAsync(
            "PUT", "~/attachments?id=null/1&name=a", new ByteArrayContent("x"u8.ToArray())))
            .Expect(HttpStatusCode.Created);
        string bulk = (await Server.SendAsync(
            "POST", "~/attachments/bulk", """{"Attachments":[null,{"DocumentId":"null/1","Name":"a"}]}"""))
            .Expect(HttpStatusCode.OK).Text;
        Assert.StartsWith("{\"AttachmentsMetadata\":[{\"Index\":1,", bulk, StringComparison.Ordinal);
        JsonArray results = (await Server.SendAsync(
            "POST", "~/multi_get", """{"Requests":[null,{"Url":"/databases/db/docs","Query":"?id=null/1"},null]}"""))
            .Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal([null, 200, null], results.Select(one => (int?)one?["StatusCode"]));
    }

    private static IEnumerable<int?> NumbersOf(HttpAnswer answer) =>
        answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Select(one => (int?)one?["N"]);

    private async Task LockAsync(string mode) =>
        (await Server.SendAsync(
            "POST", "/admin/databases/set-lock", $$"""{"DatabaseNames":["locked"],"Mode":"{{mode}}"}"""))
            .Expect(HttpStatusCode.NoContent);

    private async Task<JsonNode> DeleteAsync() =>
        (await Server.SendAsync("DELETE", "/admin/databases", """{"DatabaseNames":["locked"]}"""))
            .Expect(HttpStatusCode.OK).Json;

    private Task<JsonArray> MultiGetKnownAsync(string tag) => MultiGetAsync(new JsonObject
    {
        ["Url"] = "/databases/db/docs",
        ["Query"] = "?id=tagged/1",
        ["Headers"] = new JsonObject { ["If-None-Match"] = tag },
    });

    private Task<JsonArray> MultiGetAsync(string url, params string[] queries) => MultiGetAsync(
        [.. queries.Select(query => new JsonObject { ["Url"] = url, ["Query"] = query })]);

    private async Task<JsonArray> MultiGetAsync(params JsonObject[] requests) =>
        (await Server.SendAsync(
            "POST", "~/multi_get", new JsonObject { ["Requests"] = new JsonArray([.. requests]) }.ToJsonString()))
            .Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
}
