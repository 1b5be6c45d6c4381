using System.Collections.Concurrent;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Cluster;

/// <summary>Three servers in processes of their own, on a real etcd of three members.</summary>
[Trait(Category.Shard, "cluster-servers")]
[Trait(Category.Run, Category.Ci)]
public sealed class ThreeServersTests : IDisposable
{
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(2);
    private static readonly string[] Tags = ["A", "B", "C"];

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-cluster-").FullName;
    private readonly Dictionary<string, ServerProcess> _servers = [];
    private readonly Dictionary<string, int> _ports = Tags.ToDictionary(tag => tag, _ => FreePort());
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(30) };

    public void Dispose()
    {
        foreach (ServerProcess server in _servers.Values)
        {
            server.Dispose();
        }

        _http.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Invariant", "PLAN-1")]
    public async Task Nothing_acknowledged_is_lost_when_the_primary_is_killed()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("x", "y", "z");
        foreach (string tag in Tags)
        {
            Start(tag, etcd);
        }

        await AliveAsync(3);
        using (HttpResponseMessage made = await _http.PutAsJsonAsync(
            UrlOf("A", "/admin/databases?name=shop&replicationFactor=3"), new { DatabaseName = "shop" }))
        {
            Assert.True(made.IsSuccessStatusCode, await made.Content.ReadAsStringAsync());
        }

        await InSyncAsync(3);

        // Put through any node, read on all.
        foreach (string tag in Tags)
        {
            await PutAsync(tag, $"from/{tag}", 1);
            foreach (string other in Tags)
            {
                Assert.Equal(1, await ReadAsync(other, $"from/{tag}"));
            }
        }

        string primary = await PrimaryAsync();
        ConcurrentDictionary<string, int> acknowledged = new();
        using var enough = new CancellationTokenSource();
        Task[] writers = [.. Tags.Where(tag => tag != primary).SelectMany(tag => Enumerable.Range(0, 4)
            .Select(i => WriteAsync(tag, $"{tag}{i}", acknowledged, enough.Token)))];
        await Task.Delay(2_000, CancellationToken.None);
        int before = acknowledged.Values.Sum();
        _servers[primary].Kill();
        _servers.Remove(primary, out ServerProcess? killed);
        killed!.Dispose();
        await UntilAsync(() => Task.FromResult(acknowledged.Values.Sum() > before + 50), "no writes after the kill");
        await enough.CancelAsync();
        await Task.WhenAll(writers);
        foreach ((string id, int value) in acknowledged)
        {
            foreach (string tag in _servers.Keys)
            {
                Assert.True(await ReadAsync(tag, id) >= value, $"{id} on {tag} is older than what was acknowledged");
            }
        }

        // It comes back, catches up, and all have the same pages.
        Start(primary, etcd);
        await InSyncAsync(3);
        Assert.NotEqual(primary, await PrimaryAsync());

        // All at once: who goes in order hands over, and the others begin another epoch.
        Parallel.ForEach(_servers.Values, server => server.Kill());
        CompareFiles();
    }

    [Fact]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_server_with_data_becomes_the_first_of_a_cluster_and_its_database_gets_members()
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.StartAsync("x");
        string folder = Path.Combine(_folder, "A");
        using (var alone = ServerProcess.Start(folder))
        {
            await _http.PutAsJsonAsync($"{alone.Url}/admin/databases?name=shop", new { DatabaseName = "shop" });
            await _http.PutAsJsonAsync($"{alone.Url}/databases/shop/docs?id=old", new { Value = 7 });
        }

        foreach (string tag in Tags)
        {
            Start(tag, etcd);
        }

        await AliveAsync(3);
        await UntilAsync(async () => await TryReadAsync("A", "old") == 7, "the database is not served");
        foreach (string tag in Tags[1..])
        {
            using HttpResponseMessage added = await _http.PutAsync(
                UrlOf("A", $"/admin/databases/node?name=shop&node={tag}"), null);
            Assert.True(added.IsSuccessStatusCode, await added.Content.ReadAsStringAsync());
        }

        await InSyncAsync(3);
        await PutAsync("C", "new", 8);
        foreach (string tag in Tags)
        {
            Assert.Equal(7, await ReadAsync(tag, "old"));
            Assert.Equal(8, await ReadAsync(tag, "new"));
        }
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private string UrlOf(string tag, string path) => $"http://127.0.0.1:{_ports[tag]}{path}";

    private void Start(string tag, EtcdOfDebian etcd) => _servers[tag] = ServerProcess.Start(
        Path.Combine(_folder, tag),
        $"--ServerUrl={UrlOf(tag, "")}",
        $"--Cluster.Node={tag}",
        $"--Cluster.Peers={string.Join(',', Tags.Select(each => $"{each}={UrlOf(each, "")}"))}",
        "--Cluster.Store=" + string.Join(
            ',', etcd.Clients.Values.Select(url => url.GetLeftPart(UriPartial.Authority))));

    private async Task<JsonNode?> HealthAsync(string tag)
    {
        try
        {
            return await _http.GetFromJsonAsync<JsonNode>(UrlOf(tag, "/admin/cluster/health"));
        }
        catch (HttpRequestException)
        {
            return null;
        }
    }

    private Task AliveAsync(int count) => UntilAsync(
        async () =>
        {
            foreach (string tag in _servers.Keys)
            {
                JsonArray? nodes = (await HealthAsync(tag))?["Nodes"]?.AsArray();
                if (nodes?.Count(node => node!["IsAlive"]!.GetValue<bool>()) != count)
                {
                    return false;
                }
            }

            return true;
        },
        "not all nodes are alive");

    private Task InSyncAsync(int count) => UntilAsync(
        async () =>
        {
            string tag = _servers.Keys.First();
            JsonNode? group = (await HealthAsync(tag))?["Databases"]?.AsArray().FirstOrDefault();
            return group?["InSync"]?.ToJsonString() == $"{count}"
                || group?["Nodes"]?.AsArray().Count(node => $"{node!["Role"]}" is "Primary" or "Member") == count;
        },
        "not all members are in sync");

    private async Task<string> PrimaryAsync()
    {
        string tag = _servers.Keys.First();
        return $"{(await HealthAsync(tag))!["Databases"]![0]!["Primary"]}";
    }

    private async Task WriteAsync(
        string tag, string id, ConcurrentDictionary<string, int> acknowledged, CancellationToken stop)
    {
        for (int value = 1; !stop.IsCancellationRequested; value++)
        {
            try
            {
                using HttpResponseMessage answer = await _http.PutAsJsonAsync(
                    UrlOf(tag, $"/databases/shop/docs?id={id}"), new { Value = value }, CancellationToken.None);
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

    private async Task PutAsync(string tag, string id, int value)
    {
        using HttpResponseMessage answer = await _http.PutAsJsonAsync(
            UrlOf(tag, $"/databases/shop/docs?id={id}"), new { Value = value });
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }

    private async Task<int?> TryReadAsync(string tag, string id)
    {
        using HttpResponseMessage answer = await _http.GetAsync(UrlOf(tag, $"/databases/shop/docs?id={id}"));
        return answer.IsSuccessStatusCode
            ? (await answer.Content.ReadFromJsonAsync<JsonNode>())?["Results"]?[0]?["Value"]?.GetValue<int>()
            : null;
    }

    private async Task<int> ReadAsync(string tag, string id) =>
        await TryReadAsync(tag, id) is { } value ? value : throw new InvalidOperationException($"{tag} lacks {id}.");

    private static async Task UntilAsync(Func<Task<bool>> isDone, string problem)
    {
        using var late = new CancellationTokenSource(Hang);
        while (!await isDone())
        {
            Assert.False(late.IsCancellationRequested, problem);
            await Task.Delay(100, CancellationToken.None);
        }
    }

    private void CompareFiles()
    {
        StorageEnvironment[] all = [.. Tags.Select(tag => StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(Directory.GetDirectories(Path.Combine(_folder, tag), "shop*").Single()),
        }))];
        try
        {
            foreach (StorageEnvironment other in all[1..])
            {
                Assert.Null(StatePages.Difference(all[0], other));
            }
        }
        finally
        {
            foreach (StorageEnvironment each in all)
            {
                each.Dispose();
            }
        }
    }
}
