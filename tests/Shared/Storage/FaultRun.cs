using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// A disk that fails at one of its calls, or from it on: the failure is clear, nothing acknowledged is lost, no
/// reader sees what was not acknowledged, and what was opened on the way is closed. Every failure names the call that
/// shows it again. Any thread.
/// </summary>
internal sealed class FaultRun(StorageHooks hooks, StorageDurability durability = StorageDurability.Durable)
{
    private const int ScenarioSeed = 101;

    private int _happened;

    /// <summary>Faults that came up.</summary>
    internal int Happened => Volatile.Read(ref _happened);

    /// <summary>Whether writes go through the merger, several at a time.</summary>
    internal bool MergesWrites { get; init; }

    /// <summary>Whether each commit is audited.</summary>
    internal bool AuditsCommits { get; init; } = true;

    /// <summary>A random workload on a disk that fails.</summary>
    /// <returns>True if the call was reached.</returns>
    internal bool InWorkload(int seed, int steps, DiskFault fault) =>
        Told($"InWorkload(seed: {seed}, steps: {steps}, {fault})", () =>
        {
            using CrashWorkload workload = NewWorkload(seed, fault);
            workload.Run(steps);
            Exception? failure = workload.Failure ?? workload.Environment?.Fault;
            Require(
                fault.Kind != DiskFaultKind.Delay || failure is null,
                $"A slow disk is no reason to fail: {failure?.Message}");
            RequireHonest(workload, fault, seed);
            return workload.Disk;
        }).HasFailed;

    /// <summary>Each call of a scenario in turn.</summary>
    internal void InScenario(CrashScenario scenario, DiskFaultKind kind, bool isSticky) =>
        AtEachCall(kind, isSticky, fault => Told($"InScenario({scenario.Name}, {fault})", () => scenario.Copy is null
            ? InScript(scenario, fault)
            : InCopy(scenario, fault)));

    /// <summary>
    /// The opening of what a power cut left of a workload, on a disk that fails at each of its calls in turn.
    /// </summary>
    internal void InRecovery(int seed, int steps, DiskFaultKind kind, bool isSticky)
    {
        using CrashWorkload workload = NewWorkload(seed);
        workload.Run(steps);
        var random = new Random(seed);
        int cut = random.Next(workload.Disk.Log.Count + 1);
        using var maker = new CrashImages(workload.Disk.Log);
        maker.AdvanceTo(cut);
        using DiskImage image = maker.Make(random);
        AtEachCall(kind, isSticky, fault => Told($"InRecovery(seed: {seed}, steps: {steps}, {fault})", () =>
            WhileOpening(workload, image, cut, fault, random)));
    }

    private CrashWorkload NewWorkload(int seed, DiskFault? fault = null) => new(seed, hooks, fault, durability)
    {
        MergesWrites = MergesWrites,
        AuditsCommits = AuditsCommits,
    };

    /// <summary>Fails the first call, the second, and so on, until the run has no call of that number.</summary>
    private static void AtEachCall(DiskFaultKind kind, bool isSticky, Func<DiskFault, SimulatedFileSystem> run)
    {
        bool wasThere = true;
        for (int call = 0; wasThere; call++)
        {
            wasThere = run(new DiskFault(kind, call, isSticky)).CallsOf(kind) > call;
        }
    }

    /// <returns>The disk, for its counts.</returns>
    private static SimulatedFileSystem InScript(CrashScenario scenario, DiskFault fault)
    {
        // Marks of its own, as the scripts count them.
        using var workload = new CrashWorkload(ScenarioSeed, new StorageHooks(), fault) { JournalSize = 32 << 10 };
        try
        {
            workload.Follow(scenario.Script);
        }
        catch (Exception failure) when (workload.Disk.HasFailed && workload.IsClear(failure))
        {
            // As it should be: the rest of the script has nothing to stand on.
        }

        RequireHonest(workload, fault, ScenarioSeed);
        return workload.Disk;
    }

    /// <summary>A copy to a disk that fails: it is whole or not there, and the source knows nothing of it.</summary>
    private static SimulatedFileSystem InCopy(CrashScenario scenario, DiskFault fault)
    {
        using var workload = new CrashWorkload(ScenarioSeed, new StorageHooks()) { JournalSize = 32 << 10 };
        workload.Follow(scenario.Script);
        using var target = new SimulatedFileSystem { Fault = fault };
        bool isEnded = true;
        try
        {
            scenario.Copy!(workload, target);
        }
        catch (Exception failure) when (target.HasFailed && failure is StorageIOException or StoragePoisonedException)
        {
            isEnded = false;
        }

        target.Fault = null;
        Require(target.OpenFiles == 0, $"{target.OpenFiles} files of the copy are still open.");
        if (fault.Kind != DiskFaultKind.FlippedBit)
        {
            using DiskImage copy = target.CurrentImage();
            _ = CopyCheck.Require(workload, copy, scenario, isEnded);
        }

        RequireHonest(workload, fault, ScenarioSeed);
        return target;
    }

    private static SimulatedFileSystem WhileOpening(
        CrashWorkload workload, DiskImage image, int cut, DiskFault fault, Random random)
    {
        using var disk = new SimulatedFileSystem(image);
        var numbers = image.Files.Keys.ToDictionary(name => name, disk.NumberOf);
        disk.Fault = fault;
        try
        {
            using StorageEnvironment environment = workload.Open(disk);
            using ReadTransaction reader = environment.BeginRead();
            CrashCheck.RequireBounds(workload, reader.Id, cut);
            _ = environment.Audit();
        }
        catch (Exception failure) when (disk.HasFailed && failure is StorageIOException)
        {
            // Said so.
        }

        Require(disk.OpenFiles == 0, $"{disk.OpenFiles} files are still open.");
        disk.Fault = null;
        using DiskImage current = disk.CurrentImage();
        _ = CrashCheck.Require(workload, current, cut);
        if (fault.Kind != DiskFaultKind.ReadError)
        {
            using var maker = new CrashImages(disk.Log, image.Copy(), name => numbers[name]);
            maker.AdvanceTo(disk.Log.Count);
            _ = CrashCheck.Require(workload, maker.Make(random), cut);
        }

        return disk;
    }

    /// <summary>What holds when the disk has failed: for open environments, and for the next open.</summary>
    private static void RequireHonest(CrashWorkload workload, DiskFault fault, int seed)
    {
        if (fault.Kind == DiskFaultKind.ReadError)
        {
            // Reads that fail say nothing; what they say when the disk is back is the question.
            workload.Disk.Fault = null;
        }

        if (workload.Environment is { } environment)
        {
            RequireNothingUnacknowledged(workload, environment, fault);
        }

        workload.Disk.Fault = null;
        RequireRecovery(workload, fault, seed);
        workload.Close();
        Require(workload.Disk.OpenFiles == 0, $"{workload.Disk.OpenFiles} files are open, the environment is not.");
    }

    private static void RequireRecovery(CrashWorkload workload, DiskFault fault, int seed)
    {
        if (fault.Kind == DiskFaultKind.FlippedBit)
        {
            using DiskImage current = workload.Disk.CurrentImage();
            DamageCheck.Require(workload, current);
            return;
        }

        int cut = workload.Disk.Log.Count;
        if (fault.AtCall % 2 == 0)
        {
            using var maker = new CrashImages(workload.Disk.Log);
            maker.AdvanceTo(cut);
            CrashCheck.Require(workload, maker.Make(new Random(seed)), cut);
        }
        else
        {
            using DiskImage current = workload.Disk.CurrentImage();
            CrashCheck.Require(workload, current, cut + 1);
        }
    }

    private static void RequireNothingUnacknowledged(
        CrashWorkload workload, StorageEnvironment environment, DiskFault fault)
    {
        if (environment.Fault is null && fault.Kind != DiskFaultKind.ReadError)
        {
            return;
        }

        using (ReadTransaction reader = environment.BeginRead())
        {
            string? difference = CrashWorkload.Difference(reader, workload.State);
            Require(difference is null, $"Readers see what was not acknowledged: {difference}");
        }

        try
        {
            environment.BeginWrite().Dispose();
        }
        catch (StoragePoisonedException)
        {
            return;
        }

        Require(environment.Fault is null, "A write began after a failed write or sync.");
    }

    /// <summary>Runs one case; what is found says how to see it again.</summary>
    private SimulatedFileSystem Told(string replay, Func<SimulatedFileSystem> run)
    {
        try
        {
            SimulatedFileSystem disk = run();
            if (disk.HasFailed)
            {
                Interlocked.Increment(ref _happened);
            }

            return disk;
        }
        catch (Exception thrown) when (thrown is not CrashTestException { InnerException: CrashTestException })
        {
            throw new CrashTestException($"Replay with {replay}: {thrown.Message}", thrown);
        }
    }

    private static void Require(bool isTrue, string otherwise)
    {
        if (!isTrue)
        {
            throw new CrashTestException(otherwise);
        }
    }
}
