using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;
using Shared.Cluster.Processes;
using SlowTests.Support;

namespace SlowTests.Cluster;

/// <summary>Members of a real etcd on free ports of loopback, each with a folder that goes with it. The program is got
/// as users get it.</summary>
internal sealed class EtcdOfDebian : IAsyncDisposable
{
    private static readonly TimeSpan ReadyMax = TimeSpan.FromMinutes(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-etcd-").FullName;
    private readonly Dictionary<string, Uri> _peers = [];
    private readonly Dictionary<string, Uri> _clients = [];
    private readonly Dictionary<string, ManagedEtcd> _running = [];
    private readonly string _program;

    private EtcdOfDebian(string program, string scheme, string[] names)
    {
        _program = program;
        foreach (string name in names)
        {
            _peers[name] = new Uri($"{scheme}://127.0.0.1:{FreePort()}");
            _clients[name] = new Uri($"{scheme}://127.0.0.1:{FreePort()}");
        }
    }

    /// <summary>Where servers reach the members.</summary>
    internal IReadOnlyDictionary<string, Uri> Clients => _clients;

    /// <summary>Where the members reach one another.</summary>
    internal IReadOnlyDictionary<string, Uri> Peers => _peers;

    internal string Folder => _folder;

    /// <summary>Starts members that serve; without the program the test is skipped, but under CI it fails.</summary>
    internal static async Task<EtcdOfDebian> StartAsync(params string[] names)
    {
        EtcdOfDebian etcd = await PrepareAsync("http", names);
        foreach (string name in names)
        {
            await etcd.RunAsync(etcd.OptionsOf(name), etcd.CallsOf(name));
        }

        foreach (string name in names)
        {
            await etcd.ReadyAsync(name);
        }

        return etcd;
    }

    /// <summary>The same, with nothing started.</summary>
    internal static async Task<EtcdOfDebian> PrepareAsync(string scheme, params string[] names) =>
        new((await ProgramAsync()).Path, scheme, names);

    /// <summary>The program; without it the test is skipped, but under CI it fails.</summary>
    internal static async Task<EtcdProgram> ProgramAsync()
    {
        (EtcdProgram? program, string? problem) = await EtcdFinder.FindAsync(NodeProgram.Root);
        if (program is null)
        {
            Assert.False(Environment.GetEnvironmentVariable("CI") == "true", problem);
            Assert.Skip(problem!);
        }

        return program;
    }

    internal ManagedEtcd Member(string name) => _running[name];

    internal ManagedEtcdOptions OptionsOf(string name) => new()
    {
        Program = _program,
        Folder = Path.Combine(_folder, name),
        Name = name,
        ClientUrl = _clients[name],
        PeerUrl = _peers[name],
        Members = _peers,
        Token = "t",
        RestartPause = TimeSpan.FromMilliseconds(100),
        CheckEvery = TimeSpan.FromMilliseconds(500),
    };

    internal EtcdStoreOptions CallsOf(params string[] names) => new()
    {
        Endpoints = [.. names.Select(name => _clients[name])],
        Root = EtcdStoreOptions.RootOf(Guid.NewGuid().ToString("N")),
    };

    internal async Task<ManagedEtcd> RunAsync(ManagedEtcdOptions options, EtcdStoreOptions calls)
    {
        (ManagedEtcd? etcd, string? problem) = await ManagedEtcd.StartAsync(options, calls, NullLogger.Instance);
        Assert.True(etcd is not null, problem);
        _running[options.Name] = etcd;
        return etcd;
    }

    internal async Task ReadyAsync(string name)
    {
        using var limit = new CancellationTokenSource(ReadyMax);
        string? problem = await _running[name].WaitUntilReadyAsync(limit.Token);
        if (problem is not null)
        {
            string file = OptionsOf(name).LogFile;
            IEnumerable<string> log = File.Exists(file) ? (await File.ReadAllLinesAsync(file)).TakeLast(5) : [];
            Assert.Fail($"{problem}: {_running[name].State}\n{string.Join('\n', log)}");
        }
    }

    internal async Task StopAsync(string name)
    {
        await _running[name].DisposeAsync();
        _running.Remove(name);
    }

    /// <summary>Gives a name other addresses, as another machine has.</summary>
    internal void Move(string name)
    {
        _peers[name] = new Uri($"{_peers[name].Scheme}://127.0.0.1:{FreePort()}");
        _clients[name] = new Uri($"{_clients[name].Scheme}://127.0.0.1:{FreePort()}");
    }

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_running.Values.Select(each => each.DisposeAsync().AsTask()));
        Directory.Delete(_folder, recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
