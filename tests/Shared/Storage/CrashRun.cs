using Raven.Storage;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>Crash tests over many seeds; every failure names the seed and the cut that show it again.</summary>
internal sealed class CrashRun(StorageHooks hooks)
{
    private readonly HashSet<ulong> _seen = [];

    /// <summary>Images that were checked; the same image twice counts once.</summary>
    internal int Images => _seen.Count;

    internal StorageHooks Hooks { get; } = hooks;

    /// <summary>A workload, cut at random operations.</summary>
    internal void RandomCuts(int seed, int steps, int images)
    {
        using CrashWorkload workload = Play(seed, steps);
        var random = new Random(seed);
        int[] cuts = [.. Enumerable.Range(0, images).Select(_ => random.Next(workload.Disk.Log.Count + 1)).Order()];
        var maker = new CrashImages(workload.Disk.Log);
        foreach (int cut in cuts)
        {
            maker.AdvanceTo(cut);
            Check(workload, maker.Make(random), cut, seed, steps);
        }
    }

    /// <summary>Every operation of a short workload, each with all subsets of its sectors if there are few.</summary>
    internal void EveryCut(int seed, int steps, int sectorsMax, int imagesPerCutMax)
    {
        using CrashWorkload workload = Play(seed, steps);
        var random = new Random(seed);
        var maker = new CrashImages(workload.Disk.Log);
        for (int cut = 0; cut <= workload.Disk.Log.Count; cut++)
        {
            maker.AdvanceTo(cut);
            int sectors = maker.PendingSectors();
            long subsets = sectors <= sectorsMax ? 1L << sectors : long.MaxValue;
            for (long i = 0; i < Math.Min(subsets, imagesPerCutMax); i++)
            {
                DiskImage image = subsets <= imagesPerCutMax ? maker.MakeExactly(i) : maker.Make(random);
                Check(workload, image, cut, seed, steps);
            }
        }
    }

    /// <summary>Crashes, and crashes again in the recovery from the crash, and once more.</summary>
    internal void CrashesInRecovery(int seed, int steps, int images, int depth)
    {
        using CrashWorkload workload = Play(seed, steps);
        var random = new Random(seed);
        int[] cuts = [.. Enumerable.Range(0, images).Select(_ => random.Next(workload.Disk.Log.Count + 1)).Order()];
        var maker = new CrashImages(workload.Disk.Log);
        foreach (int cut in cuts)
        {
            maker.AdvanceTo(cut);
            DiskImage image = maker.Make(random);
            for (int level = 0; level < depth; level++)
            {
                image = CrashWhileOpening(workload, image, random);
                Check(workload, image, cut, seed, steps);
            }
        }
    }

    /// <summary>A disk that fails at one call, or from it on: no lost acknowledgement, no state that lies.</summary>
    /// <returns>True where the call was reached.</returns>
    internal bool Fault(int seed, int steps, DiskFault fault)
    {
        try
        {
            using var workload = new CrashWorkload(seed, Hooks, fault);
            workload.Run(steps);
            if (workload.Environment is { } environment)
            {
                RequireNothingUnacknowledged(workload, environment);
            }

            workload.Disk.Fault = null;
            int cut = workload.Disk.Log.Count;
            var maker = new CrashImages(workload.Disk.Log);
            maker.AdvanceTo(cut);
            var random = new Random(seed);
            if (fault.AtCall % 2 == 0)
            {
                CrashCheck.Require(workload, maker.Make(random), cut);
            }
            else
            {
                CrashCheck.Require(workload, workload.Disk.CurrentImage(), cut + 1);
            }

            return workload.Disk.HasFailed;
        }
        catch (Exception failure) when (failure is not CrashTestException { InnerException: CrashTestException })
        {
            throw new CrashTestException(
                $"Replay with Fault(seed: {seed}, steps: {steps}, {fault}): {failure.Message}", failure);
        }
    }

    /// <summary>Bits flipped, sectors zeroed, pages exchanged, files cut, emptied and deleted, one at a time.</summary>
    internal void Damage(int seed, int steps, int flips)
    {
        using CrashWorkload workload = Play(seed, steps);
        DiskImage image = workload.Disk.CurrentImage();
        var random = new Random(seed);
        for (int i = 0; i < flips; i++)
        {
            DiskImage damaged = image.Copy();
            string what = DamageCheck.Damage(damaged, random);
            try
            {
                DamageCheck.Require(workload, damaged);
            }
            catch (Exception failure)
            {
                throw new CrashTestException($"Seed {seed}, {steps} steps, {what}: {failure.Message}", failure);
            }
        }
    }

    private static void RequireNothingUnacknowledged(CrashWorkload workload, StorageEnvironment environment)
    {
        if (environment.Fault is null)
        {
            return;
        }

        using (ReadTransaction reader = environment.BeginRead())
        {
            if (CrashWorkload.Difference(reader, workload.State) is { } difference)
            {
                throw new CrashTestException($"Readers see what was not acknowledged: {difference}");
            }
        }

        try
        {
            environment.BeginWrite().Dispose();
        }
        catch (StoragePoisonedException)
        {
            return;
        }

        throw new CrashTestException("A write began after a failed write or sync.");
    }

    private CrashWorkload Play(int seed, int steps)
    {
        try
        {
            var workload = new CrashWorkload(seed, Hooks);
            workload.Run(steps);
            return workload;
        }
        catch (Exception failure)
        {
            throw new CrashTestException(
                $"The workload itself (seed {seed}, {steps} steps): {failure.Message}", failure);
        }
    }

    private void Check(CrashWorkload workload, DiskImage image, int cut, int seed, int steps)
    {
        if (!_seen.Add(image.Fingerprint()))
        {
            return;
        }

        try
        {
            CrashCheck.Require(workload, image, cut);
        }
        catch (Exception failure)
        {
            string operation = cut == 0 ? "nothing" : workload.Disk.Log[cut - 1].ToString();
            throw new CrashTestException(
                $"Seed {seed}, {steps} steps, cut {cut} in \"{operation}\": {failure.Message}", failure);
        }
    }

    private static DiskImage CrashWhileOpening(CrashWorkload workload, DiskImage image, Random random)
    {
        using var disk = new SimulatedFileSystem(image);
        var numbers = image.Files.Keys.ToDictionary(name => name, disk.NumberOf);
        workload.Open(disk).Dispose();
        var maker = new CrashImages(disk.Log, image.Copy(), name => numbers[name]);
        maker.AdvanceTo(random.Next(disk.Log.Count + 1));
        return maker.Make(random);
    }
}
