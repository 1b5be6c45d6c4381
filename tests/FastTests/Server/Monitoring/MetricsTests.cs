using System.Net;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using FastTests.Architecture;
using FastTests.Security;
using FastTests.Support;
using Raven.Documents;
using Raven.Server.Http.Monitoring;

namespace FastTests.Server.Monitoring;

/// <summary>What Prometheus collects, and that the dashboard and the alerts are made of it.</summary>
public sealed partial class MetricsTests
{
    private const string Odd = "a\"} 1\\nfake{\\\\x";

    [Fact]
    [Trait("Row", "91")]
    public async Task The_page_has_the_figures_of_databases_indexes_and_tasks()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        MetricsPage page = await ReadAsync(server, "/metrics");
        Assert.Equal(1, page["raven_database_open{database=\"db\"}"]);
        Assert.Equal(3, page["raven_database_documents{database=\"db\"}"]);
        Assert.Equal(3, page["raven_database_changes_total{database=\"db\"}"]);
        Assert.Equal(1, page["raven_databases_open"]);
        Assert.Equal(
            page["raven_merger_writes_total{database=\"db\"}"],
            page["raven_merger_write_seconds_count{database=\"db\"}"]);
        Assert.True(page["raven_storage_journal_write_seconds_sum{database=\"db\"}"] > 0);
        Assert.True(page["raven_database_requests_total{database=\"db\"}"] >= 4);

        // A name is only a name, whatever is in it.
        string index = "index=\"" + Odd.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("\"", "\\\"", StringComparison.Ordinal) + "\"";
        Assert.Equal(3, page[$"raven_index_entries{{database=\"db\",{index}}}"]);
        Assert.Equal(0, page[$"raven_index_lag_changes{{database=\"db\",{index}}}"]);
        Assert.Equal(3, page[$"raven_index_documents_total{{database=\"db\",{index}}}"]);
        Assert.Contains("raven_subscription_lag_changes{database=\"db\",subscription=\"s\"}", page.Series.Keys);
        Assert.Contains("raven_backup_age_seconds{database=\"db\",task=\"nightly\"}", page.Series.Keys);

        string[] buckets = [.. page.Series.Keys.Where(
            key => key.StartsWith("raven_merger_write_seconds_bucket", StringComparison.Ordinal))];
        Assert.Equal(10, buckets.Length);
        Assert.Equal(buckets.Select(key => page[key]).Order(), buckets.Select(key => page[key]));
    }

    [Fact]
    public async Task The_page_by_the_names_of_RavenDB_has_the_parts_that_are_asked_for()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        const string route = "/admin/monitoring/v1/prometheus";
        MetricsPage all = await ReadAsync(server, route);
        Assert.Equal(3, all["ravendb_database_documents_count{database_name=\"db\"}"]);
        Assert.Equal(3, all["ravendb_collection_documents_count{database_name=\"db\",collection_name=\"As\"}"]);
        Assert.DoesNotContain("ravendb_gc_collections_total", all.Names);
        MetricsPage few = await ReadAsync(
            server,
            route + "?skipServerMetrics=true&skipDatabasesMetrics=true&skipIndexesMetrics=true"
            + "&skipCollectionsMetrics=true&includeGcMetrics=true");
        Assert.All(few.Names, name => Assert.StartsWith("ravendb_gc_", name, StringComparison.Ordinal));
        Assert.Equal(3, few.Names.Count);
        (await server.SendAsync("GET", route + "?skipServerMetrics=perhaps")).Expect(HttpStatusCode.BadRequest);
    }

    [Fact]
    public void To_look_at_500_idle_databases_opens_none_and_costs_little()
    {
        using var server = new InMemoryServer();
        for (int i = 0; i < 499; i++)
        {
            server.State.Databases.TryCreate($"db{i}", "{}"u8, out _);
        }

        string[] pages = ["/metrics", "/admin/monitoring/v1/prometheus", "/admin/monitoring/v1/databases",
            "/admin/monitoring/v1/indexes", "/admin/monitoring/v1/collections", "/admin/monitoring/v1/server",
            "/admin/debug/databases/idle", "/admin/debug/info-package"];
        foreach (string page in pages)
        {
            Assert.Equal(200, server.Send(new InMemoryRequest("GET", page)));
        }

        var request = new InMemoryRequest("GET", "/metrics");
        Assert.Equal(200, server.Send(request));
        Assert.Equal(500, MetricsPage.Parse(request.Answer)["raven_databases"]);
        Assert.Equal(0, ServerReport.LoadedCount(server.State));
        long before = GC.GetAllocatedBytesForCurrentThread();
        server.Send(request);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4_000_000);
    }

    [Fact]
    public void To_be_watched_is_no_use_of_a_database()
    {
        using var server = new InMemoryServer();
        Assert.Equal(201, server.Send(new InMemoryRequest("PUT", "/databases/db/docs", "?id=a", "{}")));
        Assert.True(server.State.Databases.TryGet("db", out Database? database));
        database.CloseIfIdle();
        Assert.True(database.IsOpen);

        // If a look were a use, it would stay open however often it is tried.
        Deadline.Until(() =>
        {
            Assert.Equal(200, server.Send(new InMemoryRequest("GET", "/metrics")));
            database.CloseIfIdle();
            return !database.IsOpen;
        });
    }

    [Fact]
    public async Task The_dashboard_the_alerts_and_the_page_of_operations_name_metrics_that_exist()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await FillAsync(server);
        using var secured = new SecuredServer();
        HashSet<string> known = [.. (await ReadAsync(server, "/metrics")).Names];
        var text = new MetricsText();
        ServerMetricsText.Write(text, secured.Server.State);
        known.UnionWith(MetricsPage.Parse(text.Text.ToString()).Names);
        string monitoring = Path.Combine(SourceTree.Root, "packaging/monitoring");
        string alerts = File.ReadAllText(Path.Combine(monitoring, "raven-alerts.yml"));
        string dashboard = File.ReadAllText(Path.Combine(monitoring, "raven-dashboard.json"));
        Assert.NotNull(JsonNode.Parse(dashboard));
        string described = File.ReadAllText(Path.Combine(SourceTree.Root, "docs/operations.md"));
        foreach (string file in new[] { alerts, dashboard, described })
        {
            string[] named = [.. Metric().Matches(file).Select(one => NameOf(one.Value)).Distinct()];
            Assert.NotEmpty(named);
            Assert.Empty(named.Except(known));
        }

        // What exists is described.
        Assert.Empty(known.Except(Metric().Matches(described).Select(one => NameOf(one.Value))));
    }

    [Fact]
    public void A_rate_is_that_of_the_last_minute_of_looks()
    {
        var clock = new FastTests.Documents.TestClock();
        var window = new RateWindow(clock, clock.GetTimestamp());
        clock.Now += TimeSpan.FromSeconds(10);
        Assert.Equal(5, window.Rate(50), 6);
        clock.Now += TimeSpan.FromSeconds(40);
        Assert.Equal(3, window.Rate(150), 6);
        clock.Now += TimeSpan.FromSeconds(30);
        Assert.Equal(1, window.Rate(180), 6);
        clock.Now += TimeSpan.FromSeconds(59);
        Assert.Equal(0, window.Rate(180), 6);
        Assert.Equal(0, window.Rate(10), 6);
    }

    private static string NameOf(string text) => Suffix().Replace(text, "");

    /// <summary>Three documents, an index with a name that would be another line, a subscription, a task.</summary>
    private static async Task FillAsync(TestServer server)
    {
        for (int i = 0; i < 3; i++)
        {
            await server.PutAsync($"a/{i}", """{"X":1,"@metadata":{"@collection":"As"}}""");
        }

        (await server.SendAsync("PUT", "~/admin/indexes", new JsonObject
        {
            ["Indexes"] = new JsonArray(new JsonObject
            {
                ["Name"] = Odd,
                ["Maps"] = new JsonArray("from a in docs.As select new { a.X }"),
            }),
        }.ToJsonString())).Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/queries", """{"Query":"from As where X = 1"}""")).Expect(HttpStatusCode.OK);
        await Deadline.UntilAsync(async () =>
        {
            JsonNode stats = (await server.SendAsync("GET", "~/indexes/stats")).Expect(HttpStatusCode.OK).Json;
            return stats["Results"]!.AsArray().All(one => (bool?)one!["IsStale"] == false);
        });
        (await server.SendAsync("PUT", "~/subscriptions", """{"Name":"s","Query":"from As"}"""))
            .Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/admin/periodic-backup", new JsonObject
        {
            ["Name"] = "nightly",
            ["FullBackupFrequency"] = "0 1 * * 0",
            ["LocalSettings"] = new JsonObject { ["FolderPath"] = Path.Combine(Path.GetTempPath(), "raven-none") },
        }.ToJsonString())).Expect(HttpStatusCode.OK);
    }

    private static async Task<MetricsPage> ReadAsync(TestServer server, string path)
    {
        HttpAnswer answer = (await server.SendAsync("GET", path)).Expect(HttpStatusCode.OK);
        return MetricsPage.Parse(answer.Text);
    }

    [GeneratedRegex(@"(?<![\w/-])raven_[a-z0-9_]+(?![\w.]*:)")]
    private static partial Regex Metric();

    [GeneratedRegex("(?<=_seconds)_(bucket|sum|count)$")]
    private static partial Regex Suffix();
}
