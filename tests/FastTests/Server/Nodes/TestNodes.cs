using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Cluster;
using FastTests.Support;
using Raven.Cluster.Store;
using Raven.Documents;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server.Nodes;

/// <summary>Real servers in this process that are one cluster, on a store in memory that can be away.</summary>
internal sealed class TestNodes : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-nodes-").FullName;
    private MemoryRecords _records = new();
    private readonly ConcurrentDictionary<string, (ServerHost Host, AwayStore Store)> _nodes = new();
    private readonly Dictionary<string, Uri> _urls;

    private TestNodes(string[] tags)
    {
        Store = LocalStore.Open(_records);
        _urls = tags.ToDictionary(tag => tag, _ => new Uri($"http://127.0.0.1:{FreePort()}"));
    }

    /// <summary>What the nodes agree on.</summary>
    internal LocalStore Store { get; private set; }

    internal HttpClient Client { get; } = new() { Timeout = Deadline.Hang };

    /// <summary>Whether the store is away for all.</summary>
    internal bool IsStoreAway
    {
        set
        {
            foreach ((_, AwayStore store) in _nodes.Values)
            {
                store.IsAway = value;
            }
        }
    }

    internal ServerHost this[string tag] => _nodes[tag].Host;

    /// <summary>Starts nodes that know of one another.</summary>
    internal static async Task<TestNodes> StartAsync(params string[] tags)
    {
        TestNodes nodes = new(tags);
        foreach (string tag in tags)
        {
            await nodes.StartNodeAsync(tag);
        }

        return nodes;
    }

    /// <summary>Addresses of nodes, of which none is started.</summary>
    internal static TestNodes Of(params string[] tags) => new(tags);

    /// <summary>The folder of a node's data.</summary>
    internal string FolderOf(string tag) => Path.Combine(_folder, tag);

    /// <summary>The options of a server by itself in the folder of a node.</summary>
    internal ServerOptions AloneOptions(string tag) => new()
    {
        ServerUrl = new Uri("http://127.0.0.1:0"),
        DataDirectory = FolderOf(tag),
        Security = new SecurityOptions { KeysFolder = FolderOf(tag + "-keys") },
    };

    internal async Task StartNodeAsync(
        string tag, Func<ServerOptions, ServerOptions>? configure = null,
        Func<string, IDatabaseFolders>? folders = null)
    {
        ServerHost host = await StartHostAsync(tag, configure, folders);
        await Deadline.UntilAsync(
            () => host.State.Cluster.Cluster.Find(tag) is { IsAlive: true }, $"{tag} has not joined.");
    }

    private async Task<ServerHost> StartHostAsync(
        string tag, Func<ServerOptions, ServerOptions>? configure,
        Func<string, IDatabaseFolders>? folders = null)
    {
        var options = new ServerOptions
        {
            ServerUrl = _urls[tag],
            DataDirectory = FolderOf(tag),
            Security = new SecurityOptions { KeysFolder = FolderOf(tag + "-keys") },
            ShowStackTraces = true,
            DrainMax = TimeSpan.FromSeconds(2),
            Cluster = new ClusterOptions
            {
                Node = tag,
                Peers = [.. _urls.Select(each => new KeyValuePair<string, Uri>(each.Key, each.Value))],
                Store = [new Uri("http://127.0.0.1:1")],
            },
        };
        var store = new AwayStore(Store);
        ServerHost host = await ServerHost.StartAsync(
            configure?.Invoke(options) ?? options, null, null, store, folders);
        _nodes[tag] = (host, store);
        return host;
    }

    /// <summary>What the store has now.</summary>
    internal IReadOnlyList<KeyValuePair<string, byte[]>> CopyStore() => _records.Read("");

    /// <summary>Another store for nodes that start from now on; none runs.</summary>
    internal void UseStore(IReadOnlyList<KeyValuePair<string, byte[]>> records)
    {
        _records = new MemoryRecords();
        _records.Write([.. records.Select(each => new KeyValuePair<string, byte[]?>(each.Key, each.Value))]);
        Store = LocalStore.Open(_records);
    }

    /// <summary>Starts a node that takes no part, and gives the reason.</summary>
    internal async Task<string> RefusedAsync(string tag, Func<ServerOptions, ServerOptions>? configure = null)
    {
        ServerHost host = await StartHostAsync(tag, configure);
        string? problem = null;
        await Deadline.UntilAsync(
            () => (problem = ((Raven.Server.Http.Cluster.ClusterService)host.State.Cluster).Hindrance) is not null
                && problem.Length > 20, $"{tag} is not refused.");
        return problem!;
    }

    /// <summary>Stops a node in order.</summary>
    internal async Task StopNodeAsync(string tag)
    {
        _nodes.TryRemove(tag, out (ServerHost Host, AwayStore Store) node);
        await node.Host.DisposeAsync();
    }

    internal async Task<HttpAnswer> SendAsync(string tag, string method, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(_urls[tag], path))
        {
            Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        HttpResponseMessage message = await Client.SendAsync(request);
        return new HttpAnswer((int)message.StatusCode, message, await message.Content.ReadAsByteArrayAsync());
    }

    internal async Task<JsonNode> GetAsync(string tag, string path) =>
        (await SendAsync(tag, "GET", path)).Expect(HttpStatusCode.OK).Json;

    /// <summary>Makes a database on all nodes that run, whose first primary is <paramref name="tag"/>.</summary>
    internal async Task CreateAsync(string tag, string name, string? record = null)
    {
        await SettledAsync();
        string members = string.Join(',', _nodes.Keys.OrderBy(each => each != tag).Select(each => $"\"{each}\""));
        JsonObject json = (JsonObject)JsonNode.Parse(record ?? $$"""{"DatabaseName":"{{name}}"}""")!;
        json["Topology"] = JsonNode.Parse($$"""{"Members":[{{members}}]}""");
        (await SendAsync(tag, "PUT", $"/admin/databases?name={name}", json.ToJsonString()))
            .Expect(HttpStatusCode.Created);
        await InSyncAsync(name, _nodes.Count);
    }

    /// <summary>Waits until all nodes know of all that run.</summary>
    internal Task SettledAsync() => Deadline.UntilAsync(
        () => _nodes.Values.All(node => _nodes.Keys.All(
            tag => node.Host.State.Cluster.Cluster.Find(tag) is { IsAlive: true })),
        "Not all nodes know of one another.");

    /// <summary>Waits until all nodes that run say that a database has as many nodes in sync.</summary>
    internal Task InSyncAsync(string name, int count) => Deadline.UntilAsync(
        () => _nodes.Values.All(node => node.Host.State.Cluster.TryGetGroup(name, out var group)
            && group.Nodes.Count(each => each.Role is Raven.Server.Http.Cluster.GroupRole.Primary
                or Raven.Server.Http.Cluster.GroupRole.Member) >= count),
        $"Not {count} nodes of '{name}' are in sync.");

    /// <summary>The node that takes the writes of a database.</summary>
    internal async Task<string> PrimaryAsync(string name)
    {
        string? primary = null;
        await Deadline.UntilAsync(
            () => (primary = _nodes.FirstOrDefault(node =>
                node.Value.Host.State.Cluster.TryGetGroup(name, out var group)
                && group.Role == Raven.Server.Http.Cluster.GroupRole.Primary).Key) is not null,
            $"'{name}' has no primary.");
        return primary!;
    }

    /// <summary>All that the store has, as text.</summary>
    internal string StoreText() => string.Join('\n', _records.Read("").Select(
        each => $"{each.Key} {Encoding.UTF8.GetString(each.Value)}"));

    /// <summary>Waits until a request is answered so.</summary>
    internal Task UntilAsync(string tag, string path, Func<HttpAnswer, bool> isSo) => Deadline.UntilAsync(
        async () => isSo(await SendAsync(tag, "GET", path)), $"{tag} does not answer {path} as it should.");

    public async ValueTask DisposeAsync()
    {
        IsStoreAway = false;
        await Task.WhenAll(_nodes.Values.Select(node => node.Host.DisposeAsync().AsTask()));
        await Store.DisposeAsync();
        Client.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
