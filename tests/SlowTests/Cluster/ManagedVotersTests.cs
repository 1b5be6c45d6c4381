using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text.Json.Nodes;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;
using SlowTests.Support;

namespace SlowTests.Cluster;

/// <summary>Servers that run the etcd of their cluster themselves: a node takes the place of another one, and a full
/// etcd is seen.</summary>
[Trait(Category.Shard, "cluster-servers")]
public sealed class ManagedVotersTests : IDisposable
{
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(3);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-voters-").FullName;
    private readonly Dictionary<string, ServerProcess> _servers = [];
    private readonly Dictionary<string, Uri> _urls = [];
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromMinutes(1) };
    private string _program = "";

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
    [Trait("Invariant", "VOTER-1")]
    [Trait("Invariant", "JOIN-1")]
    public async Task A_new_node_takes_the_place_of_a_lost_one_in_etcd_too()
    {
        await PrepareAsync("A", "B", "C", "D");
        foreach (string tag in (string[])["A", "B", "C"])
        {
            Start(tag, "A", "B", "C");
        }

        await UntilAsync(async () => await AliveAsync("A") == "A,B,C", "not all nodes are alive");
        await CreateAsync("A", "before", 3);

        // The machine of C is gone, with its disk. A node with its tag and an empty folder is refused.
        _servers.Remove("C", out ServerProcess? lost);
        lost!.Kill();
        lost.Dispose();
        KillEtcdOf("C");
        using (HttpResponseMessage removed = await _http.DeleteAsync(UrlOf("A", "/admin/cluster/node?nodeTag=C")))
        {
            Assert.True(removed.IsSuccessStatusCode, await removed.Content.ReadAsStringAsync());
        }

        await UntilAsync(async () => (await MembersAsync("A")).Length == 2, "etcd still has the lost member");
        using (HttpResponseMessage added = await _http.PutAsync(
            UrlOf("B", $"/admin/cluster/node?url={_urls["D"]}&tag=D"), null))
        {
            Assert.True(added.IsSuccessStatusCode, await added.Content.ReadAsStringAsync());
        }

        Start("D", "A", "B", "D");
        await UntilAsync(
            async () => (await MembersAsync("A")).Count(each => !each.IsLearner && each.Name.Length > 0) == 3,
            "D has no vote");
        await UntilAsync(async () => await AliveAsync("B") == "A,B,D", "D has not joined");
        using (HttpResponseMessage member = await _http.PutAsync(
            UrlOf("B", "/admin/databases/node?name=before&node=D"), null))
        {
            Assert.True(member.IsSuccessStatusCode, await member.Content.ReadAsStringAsync());
        }

        await UntilAsync(async () => await InSyncAsync("B", "before") == 3, "D has no copy");

        // With D's vote the loss of A is survived, by etcd and by the databases.
        _servers.Remove("A", out ServerProcess? second);
        second!.Kill();
        second.Dispose();
        KillEtcdOf("A");
        await UntilAsync(
            async () =>
            {
                using HttpResponseMessage put = await _http.PutAsJsonAsync(
                    UrlOf("D", "/databases/before/docs?id=a"), new { Value = 1 });
                return put.IsSuccessStatusCode;
            },
            "nothing is written after the second loss");
        await UntilAsync(async () => await AliveAsync("D") == "B,D", "A counts as alive");
        await CreateAsync("D", "after", 2);
    }

    [Fact]
    public async Task A_full_etcd_is_an_alert_until_there_is_room()
    {
        await PrepareAsync("A");
        Start("A", ["A"], "--Cluster.EtcdQuotaMb=4");
        await UntilAsync(async () => await AliveAsync("A") == "A", "A is not alive");
        await using var store = new EtcdStore(new EtcdStoreOptions
        {
            Endpoints = [EtcdOf("A")], Root = EtcdStoreOptions.RootOf("other"),
        });
        int count = 0;
        await UntilAsync(
            async () =>
            {
                // What it has freed since may be room for some more of them, and an answer may be lost beside load.
                StoreStatus status = StoreStatus.Ok;
                for (int i = 0; status == StoreStatus.Ok && i < 50; i++)
                {
                    status = (await store.TxnAsync(new StoreTxn(
                        [], [new StoreChange($"{count++}", RandomNumberGenerator.GetBytes(100_000))]))).Status;
                }

                return (await AlertsAsync("A")).Contains("StoreFull", StringComparison.Ordinal);
            },
            "nobody is told that etcd is full");
        using (HttpResponseMessage refused = await _http.PutAsJsonAsync(
            UrlOf("A", "/admin/databases?name=none"), new { DatabaseName = "none" }))
        {
            Assert.Equal(HttpStatusCode.ServiceUnavailable, refused.StatusCode);
        }

        for (int i = 0; i < count; i++)
        {
            await store.TxnAsync(new StoreTxn([], [new StoreChange($"{i}", null)]));
        }

        await UntilAsync(
            async () => await AlertsAsync("A") is var alerts
                && alerts.Contains("StoreWasFull", StringComparison.Ordinal)
                && !alerts.Contains("StoreFull", StringComparison.Ordinal),
            "it is not cleared");
        await CreateAsync("A", "shop", 1);
    }

    private async Task PrepareAsync(params string[] tags)
    {
        await using EtcdOfDebian etcd = await EtcdOfDebian.PrepareAsync("http", "x");
        _program = etcd.Program;
        foreach (string tag in tags)
        {
            _urls[tag] = new Uri($"http://127.0.0.1:{FreePorts()}");
        }
    }

    /// <summary>A port that is free, as are the two behind it.</summary>
    private static int FreePorts()
    {
        while (true)
        {
            int first = FreePort();
            if (first < 65_000 && IsFree(first + 1) && IsFree(first + 2))
            {
                return first;
            }
        }
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static bool IsFree(int port)
    {
        try
        {
            using var listener = new TcpListener(IPAddress.Loopback, port);
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private string UrlOf(string tag, string path) => new Uri(_urls[tag], path).ToString();

    private Uri EtcdOf(string tag) => new($"http://127.0.0.1:{_urls[tag].Port + 1}");

    private void Start(string tag, params string[] peers) => Start(tag, peers, "--Cluster.EtcdPortOffset=1");

    private void Start(string tag, string[] peers, string option) => _servers[tag] = ServerProcess.Start(
        Path.Combine(_folder, tag),
        $"--ServerUrl={_urls[tag].GetLeftPart(UriPartial.Authority)}",
        $"--Cluster.Node={tag}",
        $"--Cluster.EtcdPath={_program}",
        "--Cluster.Peers="
            + string.Join(',', peers.Select(each => $"{each}={_urls[each].GetLeftPart(UriPartial.Authority)}")),
        option);

    /// <summary>Ends the etcd that a killed server has left, by the number in its folder.</summary>
    private void KillEtcdOf(string tag)
    {
        string file = Path.Combine(_folder, tag, "etcd", "etcd.pid");
        if (File.Exists(file))
        {
            using var etcd = System.Diagnostics.Process.GetProcessById(
                int.Parse(File.ReadAllText(file), System.Globalization.CultureInfo.InvariantCulture));
            etcd.Kill();
            etcd.WaitForExit(10_000);
        }
    }

    private async Task<EtcdMember[]> MembersAsync(string tag)
    {
        await using var store = new EtcdStore(new EtcdStoreOptions
        {
            Endpoints = [EtcdOf(tag)], Root = EtcdStoreOptions.RootOf("raven"),
        });
        return [.. (await new EtcdMembers(store, TimeProvider.System).ListAsync()).Members];
    }

    private async Task<string?> AliveAsync(string tag)
    {
        JsonNode? health = await HealthAsync(tag);
        return health is null
            ? null
            : string.Join(',', health["Nodes"]!.AsArray().Where(node => node!["IsAlive"]!.GetValue<bool>())
                .Select(node => (string)node!["NodeTag"]!).Order(StringComparer.Ordinal));
    }

    private async Task<int> InSyncAsync(string tag, string database) =>
        (await HealthAsync(tag))?["Databases"]?.AsArray().FirstOrDefault(each => $"{each!["Name"]}" == database)
            ?["Nodes"]?.AsArray().Count(node => $"{node!["Role"]}" is "Primary" or "Member") ?? 0;

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

    private async Task<string> AlertsAsync(string tag) =>
        await _http.GetStringAsync(new Uri(UrlOf(tag, "/server/notifications")));

    private async Task CreateAsync(string tag, string name, int factor)
    {
        using HttpResponseMessage made = await _http.PutAsJsonAsync(
            UrlOf(tag, $"/admin/databases?name={name}&replicationFactor={factor}"), new { DatabaseName = name });
        Assert.True(made.IsSuccessStatusCode, await made.Content.ReadAsStringAsync());
        await UntilAsync(async () => await InSyncAsync(tag, name) == factor, $"'{name}' is not on {factor} nodes");
    }

    private static async Task UntilAsync(Func<Task<bool>> isDone, string problem)
    {
        using var late = new CancellationTokenSource(Hang);
        while (!await isDone())
        {
            Assert.False(late.IsCancellationRequested, problem);
            await Task.Delay(200, CancellationToken.None);
        }
    }
}
