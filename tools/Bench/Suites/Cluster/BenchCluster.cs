using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Our servers as a cluster on loopback, each a process of its own with a folder of this run, on an etcd of three, and
/// with one database that all of them keep. A server that is killed can be started again.
/// </summary>
internal sealed class BenchCluster : IDisposable
{
    internal const string Database = "bench";

    /// <summary>How many documents there are for reads.</summary>
    internal const int ReadCount = 10_000;

    private static readonly TimeSpan ReadyMax = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(50);

    private readonly string _directory;
    private readonly Dictionary<string, Uri> _urls = [];
    private readonly SortedDictionary<string, ServerUnderTest> _servers = new(StringComparer.Ordinal);

    private BenchCluster(string directory, BenchEtcd etcd)
    {
        _directory = directory;
        Etcd = etcd;
    }

    /// <summary>Its store.</summary>
    internal BenchEtcd Etcd { get; }

    /// <summary>The servers that run.</summary>
    internal IReadOnlyDictionary<string, ServerUnderTest> Servers => _servers;

    /// <summary>Starts three servers and makes the database; null, with the reason, if there is no etcd.</summary>
    /// <param name="directory">A folder of this run.</param>
    /// <param name="factor">How many of them keep the database.</param>
    /// <param name="why">Why not.</param>
    internal static BenchCluster? TryStart(string directory, int factor, out string why)
    {
        if (!OperatingSystem.IsLinux())
        {
            why = "CPU of other processes is read from /proc";
            return null;
        }

        if (BenchEtcd.TryStart(Path.Combine(directory, "etcd"), out why) is not { } etcd)
        {
            return null;
        }

        var cluster = new BenchCluster(directory, etcd);
        try
        {
            foreach (string tag in (string[])["A", "B", "C"])
            {
                cluster._urls[tag] = FreePorts.Url();
            }

            Parallel.ForEach(cluster._urls.Keys.ToArray(), cluster.Start);
            Wait("all nodes live", () => cluster._servers.Keys.All(cluster.SeesAllAlive));
            ClusterHttp.Send(
                HttpMethod.Put,
                cluster.UrlOf("A", $"/admin/databases?name={Database}&replicationFactor={factor}"),
                $$"""{"DatabaseName":"{{Database}}"}""");
            cluster.WaitInSync(factor);
            return cluster;
        }
        catch
        {
            cluster.Dispose();
            throw;
        }
    }

    /// <summary>The tag of the node that commits, as the nodes that run agree.</summary>
    internal string Primary()
    {
        string primary = "";
        Wait("the nodes agree on a primary", () =>
        {
            string[] said = [.. _servers.Keys.Select(tag => $"{GroupOf(tag)?["Primary"]}").Distinct()];
            primary = said[0];
            return said.Length == 1 && _servers.ContainsKey(primary);
        });
        return primary;
    }

    /// <summary>A node that runs and is not the primary.</summary>
    internal string Follower()
    {
        string primary = Primary();
        return _servers.Keys.First(tag => tag != primary);
    }

    internal Uri UrlOf(string tag, string path) => new(_urls[tag], path);

    /// <summary>Starts a server, or starts it again with the folder that it has.</summary>
    internal void Start(string tag)
    {
        if (!_urls.TryGetValue(tag, out Uri? url))
        {
            url = _urls[tag] = FreePorts.Url();
        }

        string peers = string.Join(',', _urls.Select(each => $"{each.Key}={AddressOf(each.Value)}"));
        ServerUnderTest server = ServerUnderTest.StartOursAt(
            url, Path.Combine(_directory, tag), $"--Cluster.Node={tag}", $"--Cluster.Peers={peers}",
            $"--Cluster.Store={Etcd.Urls}");
        lock (_servers)
        {
            _servers[tag] = server;
        }
    }

    /// <summary>Kills a server, by its own process.</summary>
    internal void Kill(string tag)
    {
        _servers.Remove(tag, out ServerUnderTest? server);
        server!.Dispose();
    }

    /// <summary>Makes another node the primary.</summary>
    internal void HandOver(string to) => ClusterHttp.Post(
        UrlOf(to, $"/admin/databases/primary?name={Database}&node={to}"), "{}");

    /// <summary>Gives the database to one more node.</summary>
    internal void Add(string tag) => ClusterHttp.Send(
        HttpMethod.Put, UrlOf(Primary(), $"/admin/databases/node?name={Database}&node={tag}"), null);

    internal void WaitAlive(string tag) => Wait($"{tag} lives", () => SeesAllAlive(tag));

    /// <summary>Waits until so many nodes have every commit.</summary>
    internal void WaitInSync(int count) => Wait(
        $"{count} nodes are in sync",
        () => _servers.Keys.All(tag => GroupOf(tag)?["InSync"]?.GetValue<int>() == count));

    /// <summary>Waits until a node has every commit, which a first copy needs some time for.</summary>
    internal void WaitInSync(string tag, string primary, TimeSpan limit) =>
        Wait($"{tag} is in sync", () => IsInSync(tag, primary), limit);

    /// <summary>True if a node has every commit, as the primary says.</summary>
    internal bool IsInSync(string tag, string primary) => GroupOf(primary)?["Nodes"]?.AsArray()
        .Any(node => $"{node!["NodeTag"]}" == tag && $"{node["Role"]}" is "Member" or "Primary") == true;

    /// <summary>The folder of the database's files on a node.</summary>
    internal string FilesOf(string tag) =>
        Directory.GetDirectories(Path.Combine(_directory, tag), Database + "*").Single();

    /// <summary>Bytes of managed memory that a server has allocated so far.</summary>
    internal static double AllocatedBytes(Uri server)
    {
        const string Name = "raven_managed_allocated_bytes_total ";
        string line = ClusterHttp.GetText(new Uri(server, "/metrics")).Split('\n')
            .First(each => each.StartsWith(Name, StringComparison.Ordinal));
        return double.Parse(line[Name.Length..], CultureInfo.InvariantCulture);
    }

    /// <summary>Writes the documents that reads ask for.</summary>
    internal void LoadDocuments(int count) =>
        BenchDatabase.Load(_urls[Primary()], Database, count, BenchDatabase.WholeBody);

    /// <summary>Writes documents of words, which cannot be packed much.</summary>
    internal void LoadWords(int count) =>
        BenchDatabase.Load(_urls[Primary()], Database, count, BenchDatabase.WordsBody);

    public void Dispose()
    {
        foreach (ServerUnderTest server in _servers.Values)
        {
            server.Dispose();
        }

        _servers.Clear();
        Etcd.Dispose();
    }

    /// <summary>The file of a folder that has the pages.</summary>
    internal static string DataFileIn(string folder) => Path.Combine(folder, Raven.Storage.Paging.DataFile.Name);

    private static void Wait(string what, Func<bool> isSo) => Wait(what, isSo, ReadyMax);

    /// <summary>Waits until something is so, and fails after a time that is long on any machine.</summary>
    private static void Wait(string what, Func<bool> isSo, TimeSpan limit)
    {
        long start = Stopwatch.GetTimestamp();
        while (!IsSo(isSo))
        {
            if (Stopwatch.GetElapsedTime(start) > limit)
            {
                throw new TimeoutException($"For {limit.TotalSeconds:0} s it was not so that {what}.");
            }

            Thread.Sleep(LookEvery);
        }
    }

    private static bool IsSo(Func<bool> isSo)
    {
        try
        {
            return isSo();
        }
        catch (HttpRequestException)
        {
            // A node that starts refuses connections.
            return false;
        }
    }

    private static string AddressOf(Uri url) => url.GetLeftPart(UriPartial.Authority);

    private JsonNode HealthOf(string tag) => ClusterHttp.Get(UrlOf(tag, "/admin/cluster/health"));

    private JsonNode? GroupOf(string tag) =>
        HealthOf(tag)["Databases"]?.AsArray().FirstOrDefault(group => $"{group!["Name"]}" == Database);

    private bool SeesAllAlive(string tag) => HealthOf(tag)["Nodes"]?.AsArray() is { } nodes
        && nodes.Count(node => node!["IsAlive"]!.GetValue<bool>()) >= _servers.Count;
}
