using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Microsoft.Extensions.Logging;

namespace FastTests.Server;

/// <summary>What a database may do, what its record contains, and the settings for clients and the log.</summary>
public sealed class DatabaseStateHttpTests
{
    private const string Index =
        "{{\"Indexes\":[{{\"Name\":\"i\",\"Maps\":[\"from d in docs select new {{ d.a }}\"],";

    [Fact]
    public async Task A_disabled_database_refuses_all_requests_but_those_for_its_record_and_keeps_its_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        JsonNode status = await ToggleAsync(server, "disable", "DB", "none");
        Assert.Equal(
            """{"Name":"DB","Success":true,"Disabled":true,"Reason":"Database 'DB' is disabled."}""",
            status[0]!.ToJsonString().Replace("\\u0027", "'", StringComparison.Ordinal));
        Assert.False((bool)status[1]!["Success"]!);
        Assert.Contains("none", (string?)status[1]!["Reason"], StringComparison.Ordinal);
        HttpAnswer refused = await server.SendAsync("GET", "~/docs?id=a");
        refused.ExpectError(503, "is disabled");
        Assert.Contains("DatabaseDisabledException", (string?)refused.Json["Type"], StringComparison.Ordinal);
        (await server.SendAsync("PUT", "~/docs?id=b", "{}")).ExpectError(503, "is disabled");
        HttpAnswer told = await server.SendAsync("GET", "~/admin/record");
        Assert.True((bool)told.Expect(HttpStatusCode.OK).Json["Disabled"]!);
        Assert.True((bool)(await server.SendAsync("GET", "/databases")).Json["Databases"]![0]!["Disabled"]!);

        status = await ToggleAsync(server, "enable", "db");
        Assert.False((bool)status[0]!["Disabled"]!);
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.OK);
    }

    [Theory]
    [InlineData("PUT", "~/admin/configuration/settings", "{{\"Indexing.X\":{0}}}", 204)]
    [InlineData("POST", "~/admin/revisions/config", "{{\"Default\":{{}},\"X\":{0}}}", 200)]
    [InlineData("POST", "~/admin/revisions/conflicts/config", "{{\"X\":{0}}}", 200)]
    [InlineData("POST", "~/admin/expiration/config", "{{\"X\":{0}}}", 200)]
    [InlineData("PUT", "~/admin/configuration/client", "{{\"X\":{0}}}", 204)]
    [InlineData("PUT", "/admin/configuration/client", "{{\"X\":{0}}}", 204)]
    [InlineData("PUT", "/admin/databases?name=new", "{{\"X\":{0},\"Revisions\":{{\"X\":{0}}}}}", 201)]
    [InlineData("PUT", "~/admin/indexes", Index + "\"CompoundFields\":{0}}}]}}", 201)]
    [InlineData("PUT", "~/admin/indexes", Index + "\"Configuration\":{0}}}]}}", 400)]
    [InlineData("POST", "~/indexes/set-lock", "{{\"IndexNames\":[],\"Mode\":\"Unlock\",\"X\":{0}}}", 204)]
    [InlineData("PUT", "/admin/analyzers", "{{\"Analyzers\":[],\"X\":{0}}}", 204)]
    public async Task A_configuration_body_may_be_as_deep_as_the_limit_of_bodies(
        string method, string path, string format, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string deep = string.Concat(Enumerable.Repeat("{\"a\":", 120)) + "1" + new string('}', 120);
        HttpAnswer answer = await server.SendAsync(
            method, path, string.Format(System.Globalization.CultureInfo.InvariantCulture, format, deep));
        Assert.True(answer.Status == status, $"{answer.Status}: {answer.Text}");
        foreach (string told in new[]
        {
            "~/admin/record", "~/revisions/config", "~/expiration/config", "~/configuration/client",
            "/configuration/client", "~/indexes", "/databases",
        })
        {
            HttpAnswer read = await server.SendAsync("GET", told);
            Assert.True(read.Status is 200 or 404, $"{told}: {read.Status}: {read.Text}");
            JsonNode.Parse(read.Bytes, documentOptions: new() { MaxDepth = 1024 });
        }

        await server.AssertServesAsync();
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task The_health_report_names_a_damaged_database_until_it_can_be_opened()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        string file = await CloseAsync(server);
        byte[] whole = await File.ReadAllBytesAsync(file);
        await File.WriteAllBytesAsync(file, new byte[whole.Length]);
        (await server.SendAsync("GET", "/healthz")).Expect(HttpStatusCode.OK);
        HttpAnswer refused = await server.SendAsync("GET", "~/docs?id=a");
        Assert.Equal(503, refused.Status);
        HttpAnswer health = await server.SendAsync("GET", "/healthz");
        Assert.Equal((503, "Faulted"), (health.Status, (string?)health.Json["Status"]));
        Assert.Equal((string?)refused.Json["Message"], (string?)health.Json["Faults"]!["db"]);
        JsonNode listed = (await server.SendAsync("GET", "/databases")).Json["Databases"]![0]!;
        Assert.Equal((string?)refused.Json["Message"], (string?)listed["LoadError"]);

        await File.WriteAllBytesAsync(file, whole);
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("GET", "/healthz")).Expect(HttpStatusCode.OK);
    }

    [Fact]
    [Trait("Fault", "B15")]
    public async Task Creating_a_database_without_a_body_is_refused_with_the_body_to_send()
    {
        using var server = new TestServer();
        (await server.SendAsync("PUT", "/admin/databases?name=x"))
            .ExpectError(400, """{"DatabaseName":"x"} is enough""");
        (await server.SendAsync("PUT", "/admin/databases?name=x", """{"DatabaseName":"x"}"""))
            .Expect(HttpStatusCode.Created);
    }

    [Fact]
    public async Task The_health_report_names_a_damaged_page_from_its_first_read_on()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] noise = new byte[30_000];
        new Random(5).NextBytes(noise);
        string text = Convert.ToBase64String(noise);
        await server.PutAsync("a", $$"""{"Text":"{{text}}"}""");
        string file = await CloseAsync(server);
        byte[] bytes = await File.ReadAllBytesAsync(file);
        bytes[bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text[..100]))] ^= 1;
        await File.WriteAllBytesAsync(file, bytes);
        HttpAnswer refused = await server.SendAsync("GET", "~/docs?id=a");
        Assert.True(refused.Status == 503, $"{refused.Status}");
        HttpAnswer health = await server.SendAsync("GET", "/healthz");
        Assert.Equal((503, "Faulted"), (health.Status, (string?)health.Json["Status"]));
        Assert.Contains("data.voron", (string?)health.Json["Faults"]!["db"], StringComparison.Ordinal);
        Assert.Contains("checksum", (string?)health.Json["Faults"]!["db"], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("~/admin/expiration/config", "DeleteFrequencyInSec")]
    [InlineData("~/admin/refresh/config", "RefreshFrequencyInSec")]
    public async Task A_frequency_of_expiration_or_refresh_out_of_range_is_refused(string path, string name)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (string number in new[] { "9223372036854775807", "2147483648", "0" })
        {
            (await server.SendAsync("POST", path, $"{{\"{name}\":{number}}}")).ExpectError(400, name);
        }

        (await server.SendAsync("POST", path, $"{{\"{name}\":2147483647}}")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("PUT", "/admin/databases?name=new", "{\"Expiration\":{\"DeleteFrequencyInSec\":1e30}}"))
            .ExpectError(400, "DeleteFrequencyInSec");
        await server.AssertServesAsync();
    }

    [Fact]
    [Trait("Row", "95")]
    public async Task A_database_locked_against_deletion_is_not_deleted_until_it_is_unlocked()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await LockAsync(server, "PreventDeletesError");
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).ExpectError(400, "PreventDeletesError");
        await LockAsync(server, "PreventDeletesIgnore");
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).Expect(HttpStatusCode.OK);
        await server.AssertServesAsync();
        await LockAsync(server, "Unlock");
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).Expect(HttpStatusCode.OK);
        Assert.Equal(503, (await server.SendAsync("GET", "~/stats")).Status);
        (await server.SendAsync("POST", "/admin/databases/set-lock", """{"DatabaseNames":["db"],"Mode":"Unlock"}"""))
            .ExpectError(503, "db");
        (await server.SendAsync("POST", "/admin/databases/set-lock", """{"DatabaseNames":["db"],"Mode":"x"}"""))
            .ExpectError(400, "Mode");
    }

    [Fact]
    public async Task A_deletion_of_several_databases_deletes_none_if_one_does_not_exist()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "DELETE", "/admin/databases", """{"DatabaseNames":["db","none"],"HardDelete":true}""");
        answer.ExpectError(503, "none");
        Assert.Equal("none", answer.Message.Headers.GetValues("Database-Missing").Single());
        await server.AssertServesAsync();
        (await server.SendAsync("DELETE", "/admin/databases?name=none")).ExpectError(503, "none");
    }

    [Fact]
    public async Task A_database_record_is_updated_only_under_its_etag_and_its_settings_are_in_effect()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        JsonNode record = await RecordAsync(server);
        Assert.Null(record["Revisions"]);
        record["Settings"]!["k"] = "v";
        record["Revisions"] = JsonNode.Parse("""{"Default":{"MinimumRevisionsToKeep":2}}""");
        record["Expiration"] = JsonNode.Parse("""{"Disabled":false,"DeleteFrequencyInSec":7}""");
        string etag = $"ETag: \"{record["Etag"]}\"";
        string body = record.ToJsonString();
        (await server.SendAsync("PUT", "/admin/databases?name=db&replicationFactor=1", body, etag))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("PUT", "/admin/databases?name=db", body, etag)).ExpectError(409, "etag");
        record = await RecordAsync(server);
        Assert.Equal("v", (string?)record["Settings"]!["k"]);
        Assert.Equal(2, (int)record["Revisions"]!["Default"]!["MinimumRevisionsToKeep"]!);
        Assert.Equal(7, (int)record["Expiration"]!["DeleteFrequencyInSec"]!);
        Assert.Null(record["Refresh"]);
        await server.PutAsync("a", "{}");
        Assert.Equal(1, (int)(await server.SendAsync("GET", "~/revisions/count?id=a")).Json["RevisionsCount"]!);

        await server.SendAsync("POST", "~/admin/refresh/config", """{"RefreshFrequencyInSec":9}""");
        await server.SendAsync("POST", "~/admin/revisions/conflicts/config", """{"PurgeOnDelete":true}""");
        record = (await server.SendAsync("GET", "~/admin/record")).Json;
        Assert.Equal(9, (int)record["Refresh"]!["RefreshFrequencyInSec"]!);
        Assert.True((bool)record["RevisionsForConflicts"]!["PurgeOnDelete"]!);
        (await server.SendAsync("PUT", "/admin/databases?name=new", """{"Revisions":{"Default":7}}"""))
            .ExpectError(400, "Default");
        (await server.SendAsync("PUT", "/admin/databases?name=new", "{}", "ETag: \"5\"")).ExpectError(503, "new");
    }

    [Fact]
    public async Task New_settings_of_a_database_record_replace_the_old_ones()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "~/admin/configuration/settings", """{"Query.A":"1"}"""))
            .Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("PUT", "~/admin/configuration/settings", """{"Query.B":"2"}"""))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal("""{"Query.B":"2"}""", (await RecordAsync(server))["Settings"]!.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "E16")]
    public async Task A_disabled_client_configuration_is_answered_if_there_is_no_other()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync(
            "PUT", "~/admin/configuration/client", """{"Disabled":true,"MaxNumberOfRequestsPerSession":80}"""))
            .Expect(HttpStatusCode.NoContent);
        JsonNode told = (await server.SendAsync("GET", "~/configuration/client")).Json["Configuration"]!;
        Assert.Equal((true, 80), ((bool)told["Disabled"]!, (int)told["MaxNumberOfRequestsPerSession"]!));
        JsonNode client = (await RecordAsync(server))["Client"]!;
        Assert.Equal(told.ToJsonString(), client.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "A14")]
    public async Task A_database_record_has_its_indexes_and_keeps_all_members_that_were_sent()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await QueryHttpTests.QueryAsync(server, "from Users where Age > 1");
        JsonNode record = await RecordAsync(server);
        Assert.Equal("Auto/Users/ByAge", record["AutoIndexes"]!.AsObject().Single().Key);
        Assert.Equal(
            ("Unlock", false, false, "[]"),
            ((string?)record["LockMode"], (bool)record["Disabled"]!, (bool)record["Encrypted"]!,
            record["DocumentsCompression"]!["Collections"]!.ToJsonString()));
        record["DocumentsCompression"]!["Collections"]!.AsArray().Add("Orders");
        record["Client"] = new JsonObject { ["MaxNumberOfRequestsPerSession"] = 7 };
        record["Studio"] = new JsonObject { ["Environment"] = "Testing" };
        (await server.SendAsync(
            "PUT", "/admin/databases?name=db", record.ToJsonString(), $"ETag: \"{record["Etag"]}\""))
            .Expect(HttpStatusCode.OK);
        JsonNode again = await RecordAsync(server);
        Assert.Equal("[\"Orders\"]", again["DocumentsCompression"]!["Collections"]!.ToJsonString());
        Assert.Equal("Testing", (string?)again["Studio"]!["Environment"]);
        Assert.Equal(7, (int)again["Client"]!["MaxNumberOfRequestsPerSession"]!);
        JsonNode told = (await server.SendAsync("GET", "~/configuration/client")).Json["Configuration"]!;
        Assert.Equal(7, (int)told["MaxNumberOfRequestsPerSession"]!);
    }

    [Fact]
    [Trait("Fault", "E29")]
    public async Task The_retention_time_of_the_log_is_answered_as_it_was_set()
    {
        using var server = new TestServer();
        (await server.SendAsync(
            "POST", "/admin/logs/configuration",
            """{"Mode":"None","RetentionTime":"1000.00:00:00","RetentionSize":5000,"Compress":true}"""))
            .Expect(HttpStatusCode.NoContent);
        JsonNode told = (await server.SendAsync("GET", "/admin/logs/configuration")).Json;
        Assert.Equal(
            ("1000.00:00:00", 5000, true),
            ((string?)told["RetentionTime"], (int)told["RetentionSize"]!, (bool)told["Compress"]!));
        (await server.SendAsync("POST", "/admin/logs/configuration", """{"Mode":"None","RetentionTime":"soon"}"""))
            .ExpectError(400, "RetentionTime");
    }

    [Fact]
    [Trait("Fault", "E36")]
    public async Task A_header_announces_a_newer_client_configuration()
    {
        const string refresh = "Refresh-Client-Configuration";
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer plain = await server.SendAsync("GET", "~/stats", (string?)null, "Client-Configuration-Etag: 0");
        Assert.False(plain.Message.Headers.Contains(refresh));
        Assert.Equal(
            """{"Etag":0,"Configuration":null,"RaftCommandIndex":0}""",
            (await server.SendAsync("GET", "~/configuration/client")).Text);
        (await server.SendAsync("GET", "/configuration/client")).ExpectError(404, "not told");

        (await server.SendAsync("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":11}"""))
            .Expect(HttpStatusCode.NoContent);
        JsonNode all = (await server.SendAsync("GET", "/configuration/client")).Json;
        JsonNode told = (await server.SendAsync("GET", "~/configuration/client")).Json;
        Assert.Equal(
            ["Etag", "Disabled", "IdentityPartsSeparator", "MaxNumberOfRequestsPerSession", "LoadBalanceBehavior",
                "LoadBalancerContextSeed", "ReadBalanceBehavior"],
            all.AsObject().Select(one => one.Key));
        Assert.Equal(
            ((long)told["Etag"]!, false, (string?)null, 11, "None"),
            ((long)all["Etag"]!, (bool)all["Disabled"]!, (string?)all["IdentityPartsSeparator"],
            (int)all["MaxNumberOfRequestsPerSession"]!, (string?)all["LoadBalanceBehavior"]));
        Assert.Equal(all.ToJsonString(), told["Configuration"]!.ToJsonString());
        (await server.SendAsync(
            "PUT", "~/admin/configuration/client", """{"IdentityPartsSeparator":"-","Etag":5}"""))
            .Expect(HttpStatusCode.NoContent);
        JsonNode own = (await server.SendAsync("GET", "~/configuration/client")).Json;
        Assert.Equal(
            ("-", (long)own["Etag"]!, (int?)null, "None"),
            ((string?)own["Configuration"]!["IdentityPartsSeparator"], (long)own["Configuration"]!["Etag"]!,
            (int?)own["Configuration"]!["MaxNumberOfRequestsPerSession"],
            (string?)own["Configuration"]!["ReadBalanceBehavior"]));
        Assert.True((long)own["Etag"]! >= (long)told["Etag"]!);
        HttpAnswer older = await server.SendAsync("GET", "~/stats", (string?)null, "Client-Configuration-Etag: 0");
        Assert.Equal("true", older.Message.Headers.GetValues(refresh).Single());
        HttpAnswer newest = await server.SendAsync(
            "GET", "~/stats", (string?)null, $"Client-Configuration-Etag: {own["Etag"]}");
        Assert.False(newest.Message.Headers.Contains(refresh));

        await server.SendAsync("PUT", "~/admin/configuration/client", """{"Disabled":true}""");
        told = (await server.SendAsync("GET", "~/configuration/client")).Json;
        Assert.Equal(11, (int)told["Configuration"]!["MaxNumberOfRequestsPerSession"]!);
        (await server.SendAsync(
            "PUT", "~/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":"many"}"""))
            .ExpectError(400, "MaxNumber");
        (await server.SendAsync("PUT", "~/admin/configuration/client", "[1]")).ExpectError(400, "object");
    }

    [Theory]
    [InlineData("""{"Mode":"None"}""", LogLevel.None, "None", "Off")]
    [InlineData("""{"Mode":"Operations"}""", LogLevel.Warning, "Operations", "Warn")]
    [InlineData("""{"Logs":{"MinLevel":"Debug"}}""", LogLevel.Debug, "Information", "Debug")]
    public async Task The_log_level_can_be_changed_while_the_server_runs(
        string body, LogLevel level, string mode, string name)
    {
        using var server = new TestServer();
        (await server.SendAsync("POST", "/admin/logs/configuration", body)).Expect(HttpStatusCode.NoContent);
        Assert.Equal(level, server.Host.State.LogSwitch.Level);
        JsonNode told = (await server.SendAsync("GET", "/admin/logs/configuration")).Json;
        Assert.Equal(
            ("Information", mode, name, "Info"),
            ((string)told["Mode"]!, (string)told["CurrentMode"]!, (string)told["Logs"]!["CurrentMinLevel"]!,
            (string)told["Logs"]!["MinLevel"]!));
        (await server.SendAsync("POST", "/admin/logs/configuration", "{}")).ExpectError(400, "MinLevel");
    }

    [Theory]
    [InlineData("PUT", "/admin/cluster/node?url=x")]
    [InlineData("PUT", "/admin/databases/node?name=db")]
    [InlineData("POST", "/admin/databases/promote?name=db&node=A")]
    [InlineData("POST", "/admin/databases/reorder?name=db")]
    [InlineData("POST", "/admin/databases/dynamic-node-distribution?name=db&enable=true")]
    [InlineData("POST", "/admin/databases/unused-ids?name=db")]
    [InlineData("POST", "/admin/databases/topology/modify?name=db")]
    [InlineData("PUT", "/admin/databases/orchestrator?name=db")]
    [InlineData("DELETE", "/admin/databases/orchestrator?name=db")]
    [InlineData("PUT", "/admin/databases/shard?name=db")]
    [InlineData("GET", "/admin/certificates/mode")]
    [InlineData("GET", "/admin/certificates/cluster-domains")]
    [InlineData("GET", "/admin/certificates/local-state")]
    [InlineData("POST", "/admin/certificates/letsencrypt/force-renew")]
    [InlineData("GET", "/admin/certificates/2fa/generate-secret")]
    [InlineData("GET", "/admin/certificates/replacement/status")]
    [InlineData("PUT", "/admin/certificates/sso/x")]
    public async Task An_endpoint_that_is_not_served_is_refused_with_501(string method, string path)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(method, path, method == "GET" ? null : "{}");
        answer.ExpectError(501, "is not served");
        Assert.Equal("System.NotSupportedException", (string?)answer.Json["Type"]);
    }

    private static async Task<JsonNode> ToggleAsync(TestServer server, string what, params string[] names) =>
        (await server.SendAsync(
            "POST", $"/admin/databases/{what}", $$"""{"DatabaseNames":["{{string.Join("\",\"", names)}}"]}"""))
        .Expect(HttpStatusCode.OK).Json["Status"]!;

    private static async Task LockAsync(TestServer server, string mode) =>
        (await server.SendAsync(
            "POST", "/admin/databases/set-lock", $$"""{"DatabaseNames":["db"],"Mode":"{{mode}}"}"""))
        .Expect(HttpStatusCode.NoContent);

    private static async Task<JsonNode> RecordAsync(TestServer server) =>
        (await server.SendAsync("GET", "/admin/databases?name=db")).Expect(HttpStatusCode.OK).Json;

    /// <summary>Closes the database, which the next request opens again.</summary>
    /// <returns>Its data file.</returns>
    private static async Task<string> CloseAsync(TestServer server)
    {
        Assert.True(server.Host.State.Databases.TryGet("db", out Raven.Documents.Database? database));
        await Deadline.UntilAsync(database.TryClose);
        return Path.Combine(server.Host.State.DataFolder, "db", "data.voron");
    }
}
