using System.Diagnostics;
using System.Globalization;
using Shared.Cluster.Processes;

namespace Raven.Tools.Stress.Histories;

/// <summary>Does to a cluster what a plan says, and undoes it. Two faults may overlap; each undoes its own
/// part.</summary>
/// <param name="cluster">The cluster.</param>
/// <param name="network">Its network; null if it cannot be cut.</param>
/// <param name="disks">The disks that can be filled, by server.</param>
/// <param name="etcds">The etcd beside each server.</param>
/// <param name="database">Its database.</param>
/// <param name="say">Told of each step.</param>
internal sealed class Faults(
    ClusterProcesses cluster, NamespacePlaces? network, IReadOnlyDictionary<string, MemoryDisk> disks,
    IReadOnlyDictionary<string, string> etcds, string database, Action<string> say)
{
    private const string FakeTime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
    private const string Strace = "/usr/bin/strace";
    private const string DiskCalls = "pwrite64,pwritev,pwritev2,fsync,fdatasync";
    private static readonly TimeSpan HandOverMax = TimeSpan.FromSeconds(20);
    private readonly Lock _gate = new();

    /// <summary>What can be done on this machine.</summary>
    /// <param name="hasNetwork">Whether the network can be cut.</param>
    /// <param name="hasDisks">Whether disks can be filled.</param>
    internal static IReadOnlyList<FaultKind> Possible(bool hasNetwork, bool hasDisks) =>
    [
        .. Enum.GetValues<FaultKind>().Where(kind => kind switch
        {
            >= FaultKind.CutServer => hasNetwork,
            FaultKind.DiskFull => hasDisks,
            FaultKind.Clock => File.Exists(FakeTime),
            FaultKind.SlowDisk => File.Exists(Strace) && Environment.UserName == "root",
            _ => true,
        }),
    ];

    /// <summary>Does it, waits, and undoes it.</summary>
    internal async Task RunAsync(Fault fault, CancellationToken stop)
    {
        string tag = await TargetAsync(fault);
        say($"{fault}: {tag}");
        Func<Task> undo = Begin(fault, tag);
        try
        {
            await Task.Delay(fault.Length, stop);
        }
        catch (OperationCanceledException)
        {
            // The run ends early.
        }

        await undo();
        say($"undone: {fault.Kind} {tag}");
    }

    /// <summary>Undoes whatever is left of any fault.</summary>
    internal void Heal()
    {
        network?.HealAll();
        foreach (MemoryDisk disk in disks.Values)
        {
            disk.Free();
        }

        foreach ((string tag, string etcd) in etcds)
        {
            cluster.Signal(tag, "CONT");
            cluster.Signal(etcd, "CONT");
            StartEtcd(etcd);
            StartServer(tag);
        }
    }

    private Func<Task> Begin(Fault fault, string tag)
    {
        switch (fault.Kind)
        {
            case FaultKind.KillServer:
                cluster.Kill(tag);
                return Undo(() => StartServer(tag));
            case FaultKind.KillServers:
                cluster.KillAll(cluster.Tags);
                return Undo(() => Each(cluster.Tags, each => StartServer(each)));
            case FaultKind.KillAll:
                cluster.KillAll(cluster.Tags.Concat(etcds.Values));
                return Undo(() =>
                {
                    Each(etcds.Values, StartEtcd);
                    Each(cluster.Tags, each => StartServer(each));
                });
            case FaultKind.KillEtcd:
                cluster.Kill(etcds[tag]);
                return Undo(() => StartEtcd(etcds[tag]));
            case FaultKind.StopServer:
                return Signal(tag);
            case FaultKind.StopEtcd:
                return Signal(etcds[tag]);
            case FaultKind.HandOver:
                Task ending = EndAsync(tag);
                return async () =>
                {
                    await ending;
                    StartServer(tag);
                };
            case FaultKind.Switch:
                Task switching = SwitchAsync(OtherThan(tag, fault.Choice));
                return () => switching;
            case FaultKind.Clock:
                cluster.Kill(tag);
                StartServer(tag, ClockOf(fault.Choice));
                return Undo(() =>
                {
                    cluster.Kill(tag);
                    StartServer(tag);
                });
            case FaultKind.DiskFull:
                disks[tag].Fill();
                return Undo(disks[tag].Free);
            case FaultKind.SlowDisk:
                return SlowDisk(tag, fault.Choice);
            default:
                (string From, string To)[] ways = [.. WaysOf(fault.Kind, tag, OtherThan(tag, fault.Choice))];
                network!.Cut(ways);
                return Undo(() => network.Heal(ways));
        }
    }

    private IEnumerable<(string From, string To)> WaysOf(FaultKind kind, string tag, string other)
    {
        string[] others = [.. cluster.Tags.Where(each => each != tag)];
        string[] machine = [tag, etcds[tag]];
        string[] otherMachines = [.. others, .. others.Select(each => etcds[each])];
        return kind switch
        {
            FaultKind.CutServer => Both([tag], others),
            FaultKind.CutFrom => From([tag], others),
            FaultKind.CutTo => From(others, [tag]),
            FaultKind.CutPair => Both([tag], [other]),
            FaultKind.CutMachine => Both(machine, otherMachines),
            FaultKind.CutMachineOff => Both(machine, [.. otherMachines, NamespacePlaces.Clients]),
            FaultKind.CutAll => Both(machine, otherMachines).Concat(Both(
                [others[0], etcds[others[0]]], [others[1], etcds[others[1]]])),
            FaultKind.CutStore => Both([tag], [.. etcds.Values]),
            FaultKind.CutFromStore => From([.. etcds.Values], [tag]),
            FaultKind.CutEtcds => From([.. etcds.Values], [.. etcds.Values]).Where(way => way.From != way.To),
            FaultKind.CutAnswers => From([tag], [NamespacePlaces.Clients]),
            _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "It cuts nothing."),
        };
    }

    private static IEnumerable<(string From, string To)> From(string[] from, string[] to) =>
        from.SelectMany(one => to.Select(other => (one, other)));

    private static IEnumerable<(string From, string To)> Both(string[] some, string[] others) =>
        From(some, others).Concat(From(others, some));

    private static Func<Task> Undo(Action undo) => () =>
    {
        undo();
        return Task.CompletedTask;
    };

    private static void Each(IEnumerable<string> names, Action<string> action)
    {
        foreach (string name in names)
        {
            action(name);
        }
    }

    private Func<Task> Signal(string name)
    {
        cluster.Signal(name, "STOP");
        return Undo(() => cluster.Signal(name, "CONT"));
    }

    /// <summary>Each call that writes to the disk waits, by strace, which also makes all other calls a bit
    /// slower.</summary>
    private Func<Task> SlowDisk(string tag, int choice)
    {
        if (cluster.Find(tag) is not { } server)
        {
            return () => Task.CompletedTask;
        }

        int microseconds = 2_000 << (choice % 6);
        var strace = Process.Start(new ProcessStartInfo(Strace, [
            "-f", "-qq", "-o", "/dev/null", "-p", server.Id.ToString(CultureInfo.InvariantCulture),
            "-e", $"trace={DiskCalls}",
            "-e", string.Create(CultureInfo.InvariantCulture, $"inject={DiskCalls}:delay_enter={microseconds}"),
        ])
        { RedirectStandardError = true })!;
        strace.ErrorDataReceived += (_, _) => { };
        strace.BeginErrorReadLine();
        return async () =>
        {
            using Process _ = strace;
            strace.Kill();
            await strace.WaitForExitAsync();
        };
    }

    private async Task EndAsync(string tag)
    {
        if (cluster.Find(tag) is not { } server)
        {
            return;
        }

        server.Signal("TERM");
        using var late = new CancellationTokenSource(HandOverMax);
        try
        {
            await server.EndedAsync(late.Token);
        }
        catch (OperationCanceledException)
        {
            say($"{tag} has not ended {HandOverMax.TotalSeconds} s after SIGTERM");
        }

        cluster.Kill(tag);
    }

    private async Task SwitchAsync(string to)
    {
        using var late = new CancellationTokenSource(HandOverMax);
        try
        {
            using HttpResponseMessage answer = await cluster.Http.PostAsync(
                cluster.UrlOf(to, $"/admin/databases/primary?name={database}&node={to}"), null, late.Token);
            say($"switch to {to}: {(int)answer.StatusCode}");
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            say($"switch to {to}: {e.Message}");
        }
    }

    private void StartServer(string tag, IReadOnlyDictionary<string, string>? environment = null)
    {
        lock (_gate)
        {
            if (cluster.Find(tag) is null)
            {
                cluster.StartServer(tag, environment);
            }
        }
    }

    private void StartEtcd(string name)
    {
        lock (_gate)
        {
            if (cluster.Find(name) is null)
            {
                cluster.StartEtcd(name);
            }
        }
    }

    private string OtherThan(string tag, int choice) =>
        cluster.Tags.Where(each => each != tag).ElementAt(choice % (cluster.Tags.Count - 1));

    private async Task<string> TargetAsync(Fault fault)
    {
        string primary = await cluster.PrimaryAsync(database) ?? cluster.Tags[fault.Choice % cluster.Tags.Count];
        return fault.HitsPrimary ? primary : OtherThan(primary, fault.Choice);
    }

    private static Dictionary<string, string> ClockOf(int choice) => new()
    {
        ["LD_PRELOAD"] = FakeTime,
        ["FAKETIME"] = (choice % 4) switch
        {
            0 => "+1h",
            1 => "-1h",
            2 => "+0 x1.15",
            _ => "+0 x0.87",
        },
        ["FAKETIME_DONT_FAKE_MONOTONIC"] = choice % 4 < 2 ? "1" : "0",
    };
}
