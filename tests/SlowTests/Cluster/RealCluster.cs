using Raven.Cluster.Etcd;
using Shared.Cluster.Processes;

namespace SlowTests.Cluster;

/// <summary>Three servers and three etcds as processes, with a database that all three have.</summary>
internal sealed class RealCluster : IAsyncDisposable
{
    /// <summary>The database.</summary>
    internal const string Database = "shop";

    /// <summary>How many servers there are.</summary>
    internal const int Servers = 3;

    private readonly string _folder;

    private RealCluster(string folder, ClusterProcesses processes)
    {
        _folder = folder;
        Processes = processes;
    }

    /// <summary>The processes.</summary>
    internal ClusterProcesses Processes { get; }

    /// <summary>The addresses of all servers.</summary>
    internal string[] Urls => [.. Processes.Tags.Select(tag => Processes.UrlOf(tag))];

    /// <summary>Starts one, and waits until all members are in sync.</summary>
    /// <param name="options">More options of each server, as on a command line.</param>
    internal static async Task<RealCluster> StartAsync(params string[] options)
    {
        EtcdProgram etcd = await EtcdOfDebian.ProgramAsync();
        string folder = Directory.CreateTempSubdirectory("raven-cluster-").FullName;
        var cluster = new RealCluster(folder, new ClusterProcesses(
            new ClusterSetup
            {
                ServerPath = Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll"),
                EtcdPath = etcd.Path,
                Folder = folder,
                ServerOptions = options,
            },
            new LoopbackPlaces()));
        try
        {
            await cluster.Processes.StartAsync();
            await cluster.Processes.CreateDatabaseAsync(Database, Servers);
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Kills the primary by SIGKILL and starts it again, as often as asked. Before the next kill all members
    /// are in sync again, and so much time has passed.</summary>
    /// <param name="every">The time from kill to kill, or more.</param>
    /// <param name="isEnough">Told how many kills there were; true ends it.</param>
    internal async Task KillPrimariesAsync(TimeSpan every, Func<int, bool> isEnough)
    {
        for (int kills = 0; !isEnough(kills); kills++)
        {
            await Task.Delay(every, CancellationToken.None);
            await Processes.InSyncAsync(Database, Servers);
            string? primary = null;
            await Processes.UntilAsync(
                async () => (primary = await Processes.PrimaryAsync(Database)) is not null, "there is no primary");
            Processes.Kill(primary!);
            Processes.StartServer(primary!);
        }
    }

    /// <summary>Ends all servers when nothing is under way, and compares their files.</summary>
    internal async Task AssertSamePagesAsync()
    {
        await Processes.InSyncAsync(Database, Servers);
        Processes.KillAll(Processes.Tags);
        Assert.Null(Processes.DifferenceOfPages(Database));
    }

    public async ValueTask DisposeAsync()
    {
        await Processes.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
