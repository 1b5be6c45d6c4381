using System.Collections.Concurrent;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace Shared.Cluster.Processes;

/// <summary>
/// Servers that are a cluster, and the etcds that they use, as processes of this machine: each is started, stopped and
/// killed by itself, under the same address and with the same data.
/// </summary>
internal sealed class ClusterProcesses : IAsyncDisposable
{
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(3);

    private readonly ConcurrentDictionary<string, ChildProcess> _running = new();
    private readonly ClusterSetup _setup;
    private readonly IProcessPlaces _places;
    private readonly HttpClient _http;

    /// <summary>Nothing runs yet.</summary>
    /// <param name="setup">Which processes.</param>
    /// <param name="places">Where they run; given away.</param>
    internal ClusterProcesses(ClusterSetup setup, IProcessPlaces places)
    {
        _setup = setup;
        _places = places;
        _http = new HttpClient(places.CreateHandler()) { Timeout = TimeSpan.FromSeconds(30) };
        Directory.CreateDirectory(setup.Folder);
    }

    /// <summary>The servers, whether they run or not.</summary>
    internal IReadOnlyList<string> Tags => _setup.Tags;

    /// <summary>The servers that run.</summary>
    internal IEnumerable<string> Running => _setup.Tags.Where(_running.ContainsKey);

    /// <summary>A client of them all.</summary>
    internal HttpClient Http => _http;

    /// <summary>The address of a path of a server.</summary>
    internal string UrlOf(string tag, string path = "") => _places.UrlOf(tag) + path;

    /// <summary>The data folder of a server.</summary>
    internal string FolderOf(string name) => Path.Combine(_setup.Folder, name);

    /// <summary>The process of a server or an etcd; null if it does not run.</summary>
    internal ChildProcess? Find(string name) => _running.GetValueOrDefault(name);

    /// <summary>Starts the etcds and the servers, and waits until all of them know that the others live.</summary>
    internal async Task StartAsync()
    {
        foreach (string name in _setup.EtcdNames)
        {
            StartEtcd(name);
        }

        foreach (string tag in _setup.Tags)
        {
            StartServer(tag);
        }

        await AliveAsync(_setup.Tags.Count);
    }

    /// <summary>Starts an etcd that does not run.</summary>
    internal void StartEtcd(string name) => _running[name] = ChildProcess.Start(
        [
            .. _places.PrefixOf(name), _setup.EtcdPath,
            $"--name={name}",
            $"--data-dir={FolderOf(name)}",
            $"--listen-client-urls={_places.UrlOf(name)}",
            $"--advertise-client-urls={_places.UrlOf(name)}",
            $"--listen-peer-urls={_places.UrlOf(name, 1)}",
            $"--initial-advertise-peer-urls={_places.UrlOf(name, 1)}",
            "--initial-cluster=" + string.Join(
                ',', _setup.EtcdNames.Select(each => $"{each}={_places.UrlOf(each, 1)}")),
            "--initial-cluster-state=new",
            "--logger=zap",
            "--log-level=warn",
        ],
        new Dictionary<string, string>(),
        LogOf(name));

    /// <summary>Starts a server that does not run; returns at once.</summary>
    /// <param name="tag">The server.</param>
    /// <param name="environment">Variables for this start alone, over those of the setup.</param>
    /// <param name="options">Options for this start alone.</param>
    internal void StartServer(
        string tag, IReadOnlyDictionary<string, string>? environment = null, params string[] options)
    {
        string[] program = _setup.ServerPath.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
            ? ["dotnet", _setup.ServerPath]
            : [_setup.ServerPath];
        var variables = new Dictionary<string, string>(_setup.Environment);
        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
        {
            variables[name] = value;
        }

        _running[tag] = ChildProcess.Start(
            [
                .. _places.PrefixOf(tag), .. program,
                $"--ServerUrl={UrlOf(tag)}",
                $"--DataDir={FolderOf(tag)}",
                $"--Cluster.Node={tag}",
                $"--Cluster.Peers={string.Join(',', _setup.Tags.Select(each => $"{each}={UrlOf(each)}"))}",
                $"--Cluster.Store={string.Join(',', _setup.EtcdNames.Select(each => _places.UrlOf(each)))}",
                .. _setup.ServerOptions, .. options,
            ],
            variables,
            LogOf(tag));
    }

    /// <summary>SIGKILL; nothing if it does not run.</summary>
    internal void Kill(string name)
    {
        if (_running.TryRemove(name, out ChildProcess? process))
        {
            process.Dispose();
        }
    }

    /// <summary>SIGKILL to several in the same moment.</summary>
    internal void KillAll(IEnumerable<string> names) => Parallel.ForEach(names.ToArray(), Kill);

    /// <summary>Sends a signal; nothing if it does not run.</summary>
    internal void Signal(string name, string signal) => Find(name)?.Signal(signal);

    /// <summary>SIGTERM, and waits until it has ended: a server hands over first.</summary>
    internal async Task StopAsync(string name)
    {
        if (Find(name) is { } process)
        {
            process.Signal("TERM");
            using var late = new CancellationTokenSource(_setup.Patience);
            await process.EndedAsync(late.Token);
            Kill(name);
        }
    }

    /// <summary>Makes a database on so many nodes, and waits until all of them are in sync.</summary>
    internal async Task CreateDatabaseAsync(string database, int replicationFactor)
    {
        using HttpResponseMessage made = await _http.PutAsJsonAsync(
            UrlOf(Running.First(), $"/admin/databases?name={database}&replicationFactor={replicationFactor}"),
            new { DatabaseName = database });
        if (!made.IsSuccessStatusCode)
        {
            throw new InvalidOperationException(await made.Content.ReadAsStringAsync());
        }

        await InSyncAsync(database, replicationFactor);
    }

    /// <summary>What <c>/admin/cluster/health</c> of a server answers; null if it does not.</summary>
    internal async Task<JsonNode?> HealthAsync(string tag)
    {
        using var late = new CancellationTokenSource(AnswerMax);
        try
        {
            return await _http.GetFromJsonAsync<JsonNode>(UrlOf(tag, "/admin/cluster/health"), late.Token);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException or JsonException)
        {
            return null;
        }
    }

    /// <summary>Waits until each server that runs sees so many nodes alive.</summary>
    internal Task AliveAsync(int count) => EachAsync(
        health => health["Nodes"]?.AsArray().Count(node => node!["IsAlive"]!.GetValue<bool>()) == count,
        $"not all of {count} nodes are alive");

    /// <summary>Waits until each server that runs sees so many members of a database in sync.</summary>
    internal Task InSyncAsync(string database, int count) => EachAsync(
        health => DatabaseIn(health, database)?["InSync"]?.GetValue<int>() == count,
        $"not all of {count} members are in sync");

    /// <summary>The tag of the primary of a database, as the server sees it that knows of the latest epoch; null if
    /// none answers.</summary>
    internal async Task<string?> PrimaryAsync(string database)
    {
        JsonNode?[] all = await Task.WhenAll(Running.Select(HealthAsync));
        return all.Select(health => health is null ? null : DatabaseIn(health, database))
            .Where(seen => seen?["Primary"] is not null)
            .MaxBy(seen => seen!["Epoch"]!.GetValue<long>())?["Primary"]!.GetValue<string>();
    }

    /// <summary>Waits until something is so.</summary>
    /// <exception cref="TimeoutException">It is not, for long.</exception>
    internal async Task UntilAsync(Func<Task<bool>> isDone, string problem)
    {
        using var late = new CancellationTokenSource(_setup.Patience);
        while (!await isDone())
        {
            foreach ((string name, ChildProcess process) in _running)
            {
                if (process.HasEnded)
                {
                    throw new InvalidOperationException(
                        $"{name} has ended by itself:{Environment.NewLine}{process.LastLines}");
                }
            }

            if (late.IsCancellationRequested)
            {
                throw new TimeoutException($"{problem}:{Environment.NewLine}{await DescribeAsync()}");
            }

            await Task.Delay(Poll);
        }
    }

    /// <summary>Compares the files of all servers, none of which runs, page by page.</summary>
    /// <returns>How they differ, or null.</returns>
    internal string? DifferenceOfPages(string database)
    {
        List<StorageEnvironment> all = [];
        try
        {
            foreach (string tag in _setup.Tags)
            {
                all.Add(StorageEnvironment.Open(new StorageOptions
                {
                    FileSystem = new RealFileSystem(
                        Directory.GetDirectories(FolderOf(tag), database + "*").Single()),
                }));
            }

            for (int i = 1; i < all.Count; i++)
            {
                if (StatePages.Difference(all[0], all[i]) is { } difference)
                {
                    return $"{_setup.Tags[0]} and {_setup.Tags[i]}: {difference}";
                }
            }

            return null;
        }
        finally
        {
            foreach (StorageEnvironment each in all)
            {
                each.Dispose();
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        KillAll(_running.Keys);
        _http.Dispose();
        await _places.DisposeAsync();
    }

    private Task EachAsync(Func<JsonNode, bool> isSo, string problem) => UntilAsync(
        async () =>
        {
            foreach (string tag in Running)
            {
                if (await HealthAsync(tag) is not { } health || !isSo(health))
                {
                    return false;
                }
            }

            return true;
        },
        problem);

    private async Task<string> DescribeAsync()
    {
        List<string> lines = [];
        foreach (string tag in Running)
        {
            lines.Add($"{tag}: {(await HealthAsync(tag))?.ToJsonString() ?? "does not answer"}");
        }

        return string.Join(Environment.NewLine, lines);
    }

    private string LogOf(string name) => Path.Combine(_setup.Folder, $"{name}.log");

    private static JsonNode? DatabaseIn(JsonNode health, string database) =>
        health["Databases"]?.AsArray().FirstOrDefault(each => each?["Name"]?.GetValue<string>() == database);
}
