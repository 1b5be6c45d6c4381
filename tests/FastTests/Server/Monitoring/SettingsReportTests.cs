using System.Net;
using System.Text.Json.Nodes;
using Raven.Server.Options;

namespace FastTests.Server.Monitoring;

/// <summary>Settings by their scope, the restart of a database, and what the Studio keeps.</summary>
public sealed class SettingsReportTests
{
    [Fact]
    public async Task Settings_are_shown_by_scope_and_secrets_are_not()
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            o => o with { Telemetry = new TelemetryOptions { Headers = "authorization=canary" } });
        (await server.SendAsync("PUT", "~/admin/configuration/settings", """{"Indexing.MapBatchSize":"128"}"""))
            .Expect(HttpStatusCode.NoContent);
        HttpAnswer ofServer = (await server.SendAsync("GET", "/admin/configuration/settings"))
            .Expect(HttpStatusCode.OK);
        Assert.DoesNotContain("canary", ofServer.Text, StringComparison.Ordinal);
        JsonNode headers = Find(ofServer.Json, "Monitoring.OpenTelemetry.Headers")!;
        Assert.True((bool)headers["Metadata"]!["IsSecured"]!);
        Assert.Null(headers["ServerValues"]!["Monitoring.OpenTelemetry.Headers"]!["Value"]);
        Assert.Equal(OptionTable.Keys.Count, ofServer.Json["Settings"]!.AsArray().Count);

        JsonNode both = (await server.SendAsync("GET", "~/admin/configuration/settings")).Json;
        Assert.Equal(
            "128",
            (string?)Find(both, "Indexing.MapBatchSize")!["DatabaseValues"]!["Indexing.MapBatchSize"]!["Value"]);
        Assert.NotNull(Find(both, "Indexing.ThreadsMax"));
        Assert.Null(Find(both, "Security.Certificate.Path"));
        Assert.Null(Find(both, "Backup.LocalRootPath"));
        JsonNode own = (await server.SendAsync("GET", "~/admin/configuration/settings?scope=Database")).Json;
        Assert.Single(own["Settings"]!.AsArray());
        JsonNode others = (await server.SendAsync("GET", "~/admin/configuration/settings?scope=Server")).Json;
        Assert.Null(Find(others, "Indexing.MapBatchSize"));
        (await server.SendAsync("GET", "~/admin/configuration/settings?scope=Cluster"))
            .Expect(HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task A_database_is_closed_and_goes_on()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        Assert.True(server.Host.State.Databases.TryGet("db", out Raven.Documents.Database? database));
        Assert.True(database.IsOpen);
        (await server.SendAsync("POST", "~/admin/restart")).Expect(HttpStatusCode.NoContent);
        Assert.False(database.IsOpen);
        await server.AssertServesAsync();
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task What_the_Studio_keeps_is_given_back()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("GET", "/configuration/studio")).Expect(HttpStatusCode.NotFound);
        (await server.SendAsync("GET", "~/configuration/studio")).Expect(HttpStatusCode.NotFound);
        (await server.SendAsync("PUT", "/admin/configuration/studio", """{"Environment":"One"}"""))
            .Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("PUT", "~/admin/configuration/studio", """{"Environment":"Two"}"""))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal("One", (string?)(await server.SendAsync("GET", "/configuration/studio")).Json["Environment"]);
        Assert.Equal(
            "One", (string?)(await server.SendAsync("GET", "/admin/configuration/studio")).Json["Environment"]);
        Assert.Equal("Two", (string?)(await server.SendAsync("GET", "~/configuration/studio")).Json["Environment"]);
        (await server.SendAsync("PUT", "/admin/configuration/studio", "[1]")).Expect(HttpStatusCode.BadRequest);
    }

    private static JsonNode? Find(JsonNode settings, string name) => settings["Settings"]!.AsArray()
        .FirstOrDefault(one => (string?)one!["Metadata"]!["Keys"]![0] == name);
}
