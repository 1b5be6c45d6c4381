using System.Collections.Concurrent;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Raven.Cluster.Etcd;
using Shared.Cluster.Processes;
using SlowTests.Support;

namespace SlowTests.Cluster;

/// <summary>Three servers in processes of their own, on a real etcd.</summary>
[Trait(Category.Shard, "cluster-servers")]
[Trait(Category.Run, Category.Ci)]
public sealed class ThreeServersTests : IDisposable
{
    private const string Database = "shop";
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-cluster-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Invariant", "PLAN-1")]
    public async Task Nothing_acknowledged_is_lost_when_the_primary_is_killed()
    {
        await using ClusterProcesses cluster = await PrepareAsync("x", "y", "z");
        await cluster.StartAsync();
        await cluster.CreateDatabaseAsync(Database, replicationFactor: 3);

        // Put through any node, read on all.
        foreach (string tag in cluster.Tags)
        {
            await PutAsync(cluster, tag, $"from/{tag}", 1);
            foreach (string other in cluster.Tags)
            {
                Assert.Equal(1, await ReadAsync(cluster, other, $"from/{tag}"));
            }
        }

        string primary = (await cluster.PrimaryAsync(Database))!;
        ConcurrentDictionary<string, int> acknowledged = new();
        using var enough = new CancellationTokenSource();
        Task[] writers = [.. cluster.Tags.Where(tag => tag != primary).SelectMany(tag => Enumerable.Range(0, 4)
            .Select(i => WriteAsync(cluster, tag, $"{tag}{i}", acknowledged, enough.Token)))];
        await Task.Delay(2_000, CancellationToken.None);
        int before = acknowledged.Values.Sum();
        cluster.Kill(primary);
        await cluster.UntilAsync(
            () => Task.FromResult(acknowledged.Values.Sum() > before + 50), "no writes after the kill");
        await enough.CancelAsync();
        await Task.WhenAll(writers);
        foreach ((string id, int value) in acknowledged)
        {
            foreach (string tag in cluster.Running)
            {
                Assert.True(
                    await ReadAsync(cluster, tag, id) >= value, $"{id} on {tag} is older than what was acknowledged");
            }
        }

        // It comes back, catches up, and all have the same pages.
        cluster.StartServer(primary);
        await cluster.InSyncAsync(Database, 3);
        Assert.NotEqual(primary, await cluster.PrimaryAsync(Database));

        // All at once: who goes in order hands over, and the others begin another epoch.
        cluster.KillAll(cluster.Tags);
        Assert.Null(cluster.DifferenceOfPages(Database));
    }

    [Fact]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_server_with_data_becomes_the_first_of_a_cluster_and_its_database_gets_members()
    {
        await using ClusterProcesses cluster = await PrepareAsync("x");
        using (var alone = ServerProcess.Start(cluster.FolderOf("A")))
        {
            await cluster.Http.PutAsJsonAsync(
                $"{alone.Url}/admin/databases?name={Database}", new { DatabaseName = Database });
            await cluster.Http.PutAsJsonAsync($"{alone.Url}/databases/{Database}/docs?id=old", new { Value = 7 });
        }

        await cluster.StartAsync();
        await cluster.UntilAsync(async () => await TryReadAsync(cluster, "A", "old") == 7, "nothing is served");
        foreach (string tag in cluster.Tags.Skip(1))
        {
            using HttpResponseMessage added = await cluster.Http.PutAsync(
                cluster.UrlOf("A", $"/admin/databases/node?name={Database}&node={tag}"), null);
            Assert.True(added.IsSuccessStatusCode, await added.Content.ReadAsStringAsync());
        }

        await cluster.InSyncAsync(Database, 3);
        await PutAsync(cluster, "C", "new", 8);
        foreach (string tag in cluster.Tags)
        {
            Assert.Equal(7, await ReadAsync(cluster, tag, "old"));
            Assert.Equal(8, await ReadAsync(cluster, tag, "new"));
        }
    }

    private async Task<ClusterProcesses> PrepareAsync(params string[] etcds)
    {
        EtcdProgram etcd = await EtcdOfDebian.ProgramAsync();
        return new ClusterProcesses(
            new ClusterSetup
            {
                ServerPath = Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll"),
                EtcdPath = etcd.Path,
                Folder = _folder,
                EtcdNames = etcds,
            },
            new LoopbackPlaces());
    }

    private static async Task WriteAsync(
        ClusterProcesses cluster, string tag, string id, ConcurrentDictionary<string, int> acknowledged,
        CancellationToken stop)
    {
        for (int value = 1; !stop.IsCancellationRequested; value++)
        {
            try
            {
                using HttpResponseMessage answer = await cluster.Http.PutAsJsonAsync(
                    UrlOf(cluster, tag, id), new { Value = value }, CancellationToken.None);
                if (answer.IsSuccessStatusCode)
                {
                    acknowledged[id] = value;
                }
            }
            catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
            {
                // Perhaps done: the next value is larger.
            }
        }
    }

    private static async Task PutAsync(ClusterProcesses cluster, string tag, string id, int value)
    {
        using HttpResponseMessage answer = await cluster.Http.PutAsJsonAsync(
            UrlOf(cluster, tag, id), new { Value = value });
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }

    private static async Task<int?> TryReadAsync(ClusterProcesses cluster, string tag, string id)
    {
        using HttpResponseMessage answer = await cluster.Http.GetAsync(UrlOf(cluster, tag, id));
        return answer.IsSuccessStatusCode
            ? (await answer.Content.ReadFromJsonAsync<JsonNode>())?["Results"]?[0]?["Value"]?.GetValue<int>()
            : null;
    }

    private static async Task<int> ReadAsync(ClusterProcesses cluster, string tag, string id) =>
        await TryReadAsync(cluster, tag, id) is { } value
            ? value
            : throw new InvalidOperationException($"{tag} lacks {id}.");

    private static string UrlOf(ClusterProcesses cluster, string tag, string id) =>
        cluster.UrlOf(tag, $"/databases/{Database}/docs?id={id}");
}
