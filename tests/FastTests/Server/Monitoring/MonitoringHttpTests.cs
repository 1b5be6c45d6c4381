using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server.Monitoring;

/// <summary>What collectors of RavenDB read as JSON.</summary>
public sealed class MonitoringHttpTests
{
    [Fact]
    public async Task The_figures_of_the_server_have_the_members_and_kinds_of_numbers_that_collectors_read()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        JsonNode json = await ReadAsync(server, "server");
        AssertWhole(
            json, "UpTimeInSec", "ServerProcessId", "Backup.CurrentNumberOfRunningBackups",
            "Backup.MaxNumberOfConcurrentBackups", "Cpu.ProcessorCount", "Cpu.AssignedProcessorCount",
            "Cpu.ThreadPoolAvailableWorkerThreads", "Cpu.ThreadPoolAvailableCompletionPortThreads",
            "Memory.AllocatedMemoryInMb", "Memory.PhysicalMemoryInMb", "Memory.InstalledMemoryInMb",
            "Memory.TotalSwapSizeInMb", "Memory.TotalSwapUsageInMb", "Memory.WorkingSetSwapUsageInMb",
            "Memory.TotalDirtyInMb", "Disk.SystemStoreUsedDataFileSizeInMb", "Disk.SystemStoreTotalDataFileSizeInMb",
            "Disk.TotalFreeSpaceInMb", "Disk.RemainingStorageSpacePercentage", "License.UtilizedCpuCores",
            "License.MaxCores", "Network.TcpActiveConnections", "Network.ConcurrentRequestsCount",
            "Network.TotalRequests", "Cluster.CurrentTerm", "Cluster.Index", "Databases.TotalCount",
            "Databases.LoadedCount");
        Assert.Equal(1, (int)json["Databases"]!["LoadedCount"]!);
        Assert.True((int)json["Network"]!["TcpActiveConnections"]! >= 1);
        Assert.True((double)json["Network"]!["RequestsPerSec"]! >= 0);
        Assert.InRange((double)json["Cpu"]!["ProcessUsage"]!, 0, 100);
        Assert.Equal("None", (string?)json["Memory"]!["LowMemorySeverity"]);
        Assert.Null(json["Certificate"]!["ServerCertificateExpirationLeftInSec"]);
        Assert.Equal("Leader", (string?)json["Cluster"]!["NodeState"]);
        Assert.Equal(
            json.AsObject().Select(one => one.Key),
            (await server.SendAsync("GET", "/admin/stats")).Json.AsObject().Select(one => one.Key));
    }

    [Fact]
    public async Task The_figures_of_databases_are_those_that_are_named_and_closed_ones_have_few()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("PUT", "/admin/databases?name=closed", "{\"DatabaseName\":\"closed\"}"))
            .Expect(HttpStatusCode.Created);
        await server.PutAsync("a/1", """{"@metadata":{"@collection":"As"}}""");
        (await server.SendAsync("POST", "~/queries", """{"Query":"from As where X = 1"}""")).Expect(HttpStatusCode.OK);
        JsonArray all = (await ReadAsync(server, "databases"))["Results"]!.AsArray();
        Assert.Equal(["closed", "db"], all.Select(one => (string)one!["DatabaseName"]!));
        Assert.False((bool)all[0]!["IsLoaded"]!);
        JsonNode db = Assert.Single((await ReadAsync(server, "databases?name=db&name=none"))["Results"]!.AsArray())!;
        AssertWhole(
            db, "Counts.Documents", "Counts.Revisions", "Counts.Attachments", "Counts.UniqueAttachments",
            "Counts.Alerts", "Counts.Rehabs", "Counts.PerformanceHints", "Counts.ReplicationFactor",
            "Statistics.RequestsCount", "Indexes.Count", "Indexes.StaleCount", "Indexes.ErrorsCount",
            "Indexes.StaticCount", "Indexes.AutoCount", "Indexes.IdleCount", "Indexes.DisabledCount",
            "Indexes.ErroredCount", "Storage.DocumentsAllocatedDataFileInMb", "Storage.DocumentsUsedDataFileInMb",
            "Storage.IndexesAllocatedDataFileInMb", "Storage.IndexesUsedDataFileInMb",
            "Storage.TotalAllocatedStorageFileInMb", "Storage.TotalFreeSpaceInMb");
        Assert.Equal((1, 1), ((int)db["Counts"]!["Documents"]!, (int)db["Indexes"]!["AutoCount"]!));
        Assert.True((double)db["Statistics"]!["RequestAverageDurationInMs"]! > 0);
        Assert.Null(db["TimeSinceLastBackupInSec"]);

        JsonNode index = Assert.Single(
            Assert.Single((await ReadAsync(server, "indexes"))["Results"]!.AsArray())!["Indexes"]!.AsArray())!;
        AssertWhole(index, "Errors", "EntriesCount");
        Assert.Equal(("Auto/As/ByX", "AutoMap"), ((string?)index["IndexName"], (string?)index["Type"]));
        Assert.False((bool)index["IsInvalid"]!);
        JsonNode collection = Assert.Single(
            Assert.Single((await ReadAsync(server, "collections"))["Results"]!.AsArray())!["Collections"]!.AsArray())!;
        Assert.Equal(("As", 1), ((string?)collection["CollectionName"], (int)collection["DocumentsCount"]!));
        AssertWhole(
            collection, "TotalSizeInBytes", "DocumentsSizeInBytes", "TombstonesSizeInBytes", "RevisionsSizeInBytes");
    }

    private static async Task<JsonNode> ReadAsync(TestServer server, string what) =>
        (await server.SendAsync("GET", $"/admin/monitoring/v1/{what}")).Expect(HttpStatusCode.OK).Json;

    private static void AssertWhole(JsonNode json, params string[] paths) => Assert.All(paths, path =>
    {
        JsonNode? value = path.Split('.').Aggregate((JsonNode?)json, (node, name) => node?[name]);
        Assert.True(
            value != null && value.ToJsonString().All(letter => char.IsAsciiDigit(letter)),
            $"{path} is {value?.ToJsonString() ?? "missing"}, not a whole number.");
    });
}
