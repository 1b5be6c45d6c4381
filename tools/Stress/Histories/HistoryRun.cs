using System.Globalization;
using Shared.Cluster.Processes;

namespace Raven.Tools.Stress.Histories;

/// <summary>
/// Three servers and three etcds as processes, each in a network of its own where this machine lets us; clients that
/// record what they see, faults by a plan, and then the check: of the history, and of the pages of all nodes.
/// </summary>
internal static class HistoryRun
{
    private const string Database = "lists";
    private const int DiskMegabytes = 256;
    private const int ReadAtOnce = 20;
    private static readonly string[] Tags = ["A", "B", "C"];
    private static readonly string[] EtcdNames = ["x", "y", "z"];

    /// <summary>Why the network cannot be cut on this machine; null if it can.</summary>
    internal static string? NetworkProblem => NamespacePlaces.Problem();

    /// <summary>Makes a history and checks it.</summary>
    /// <param name="options">What it is made of.</param>
    /// <param name="stop">Ends the clients early.</param>
    internal static async Task<HistoryResult> RunAsync(HistoryOptions options, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        NamespacePlaces? network = NetworkProblem is null ? NamespacePlaces.Make(Tags.Concat(EtcdNames)) : null;
        Dictionary<string, MemoryDisk> disks = [];
        List<string> problems = [];
        try
        {
            var clock = new HistoryClock();
            var recorder = new HistoryRecorder(clock);
            int faults = 0;
            await using (var cluster = new ClusterProcesses(
                new ClusterSetup
                {
                    ServerPath = options.ServerPath,
                    EtcdPath = options.EtcdPath,
                    Folder = options.Folder,
                    Tags = Tags,
                    EtcdNames = EtcdNames,
                    Patience = options.Patience,
                },
                network ?? (IProcessPlaces)new LoopbackPlaces()))
            {
                MountDisks(options, cluster, disks);
                try
                {
                    faults = await RunAsync(options, cluster, network, disks, recorder, problems, stop);
                    problems.AddRange(HistoryCheck.Run(recorder.History));
                    problems.AddRange(recorder.Unexpected);
                    cluster.KillAll(Tags);
                    if (cluster.DifferenceOfPages(Database) is { } difference)
                    {
                        problems.Add($"pages differ: {difference}");
                    }
                }
                catch (Exception e) when (e is TimeoutException or InvalidOperationException or InvalidDataException)
                {
                    problems.Add($"after {clock.Elapsed.TotalSeconds:0.0} s: {e.Message}");
                    problems.AddRange(HistoryCheck.Run(recorder.History).Where(IsOfHistory));
                }
            }

            IReadOnlyList<HistoryTransaction> history = recorder.History;
            return new HistoryResult(
                options.Seed, problems,
                history.Count(one => one.Outcome == HistoryOutcome.Done),
                history.Count(one => one.Outcome == HistoryOutcome.Perhaps),
                faults, [.. recorder.Answers], network is not null);
        }
        finally
        {
            foreach (MemoryDisk disk in disks.Values)
            {
                disk.Dispose();
            }
        }
    }

    /// <summary>What is wrong with a history whose lists were not read at its end.</summary>
    private static bool IsOfHistory(string problem) => !problem.StartsWith("lost", StringComparison.Ordinal)
        && !problem.StartsWith("half", StringComparison.Ordinal);

    /// <summary>In half of the runs the servers have disks that can be filled.</summary>
    private static void MountDisks(
        HistoryOptions options, ClusterProcesses cluster, Dictionary<string, MemoryDisk> disks)
    {
        foreach (string tag in options.Seed % 2 == 0 ? Tags : [])
        {
            if (MemoryDisk.TryMount(cluster.FolderOf(tag), DiskMegabytes) is { } disk)
            {
                disks[tag] = disk;
            }
        }
    }

    private static async Task<int> RunAsync(
        HistoryOptions options, ClusterProcesses cluster, NamespacePlaces? network,
        Dictionary<string, MemoryDisk> disks, HistoryRecorder recorder, List<string> problems, CancellationToken stop)
    {
        void Say(string what) => options.Say(string.Create(
            CultureInfo.InvariantCulture, $"{recorder.Clock.Elapsed.TotalSeconds:0.0} s: {what}"));

        await cluster.StartAsync();
        await cluster.CreateDatabaseAsync(Database, Tags.Length);
        Say("all nodes are in sync");
        using SocketsHttpHandler handler = (network ?? (IProcessPlaces)new LoopbackPlaces()).CreateHandler();
        using var http = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        var keys = new HistoryKeys();
        HistoryClient[] clients = [.. Enumerable.Range(0, options.Clients).Select(_ => new HistoryClient(
            new HistoryRequests(http, recorder), recorder, keys,
            Tags.ToDictionary(tag => tag, tag => cluster.UrlOf(tag, $"/databases/{Database}"))))];
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(stop);
        Task[] working = [.. clients.Select((client, i) => client.RunAsync(
            new Random((options.Seed * 1_000) + i), options.PauseMax, enough.Token))];

        var faults = new Faults(
            cluster, network, disks, Tags.Zip(EtcdNames).ToDictionary(each => each.First, each => each.Second),
            Database, Say);
        IReadOnlyList<FaultKind> possible = Faults.Possible(network is not null, disks.Count > 0);
        IReadOnlyList<Fault> plan = FaultPlan.Make(
            options.Seed, options.Length, [.. (options.Faults ?? possible).Intersect(possible)]);
        TimeSpan began = recorder.Clock.Elapsed;
        try
        {
            await Task.WhenAll(plan.Select(fault => RunAsync(fault, faults, recorder.Clock, began, stop)));
            if (began + options.Length - recorder.Clock.Elapsed is { Ticks: > 0 } rest)
            {
                await Task.Delay(rest, stop);
            }
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            // What there is so far is checked.
        }

        await enough.CancelAsync();
        problems.AddRange(cluster.Running.Where(tag => cluster.Find(tag)!.HasEnded).Select(
            tag => $"{tag} has ended by itself:{Environment.NewLine}{cluster.Find(tag)!.LastLines}"));
        faults.Heal();
        Say("healed");
        await Task.WhenAll(working);
        await cluster.InSyncAsync(Database, Tags.Length);
        Say("all nodes are in sync again");
        await ReadAllAsync(cluster, clients[0], keys);
        Say("all lists are read");
        return plan.Count;
    }

    private static async Task RunAsync(
        Fault fault, Faults faults, HistoryClock clock, TimeSpan began, CancellationToken stop)
    {
        if (began + fault.At - clock.Elapsed is { Ticks: > 0 } wait)
        {
            await Task.Delay(wait, stop);
        }

        await faults.RunAsync(fault, stop);
    }

    /// <summary>Reads all lists through each node, as the last transactions of the history.</summary>
    private static async Task ReadAllAsync(ClusterProcesses cluster, HistoryClient client, HistoryKeys keys)
    {
        foreach (string tag in Tags)
        {
            foreach (string[] some in keys.AllDocuments.Chunk(ReadAtOnce))
            {
                await cluster.UntilAsync(
                    async () => await client.ReadAsync(tag, some) is not null, $"{tag} answers no read");
            }

            foreach (string value in keys.AllValues)
            {
                await cluster.UntilAsync(
                    async () => await client.ReadValueAsync(tag, value) is not null, $"{tag} answers no read");
            }
        }
    }
}
