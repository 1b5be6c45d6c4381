using System.Collections.Concurrent;
using Raven.Storage.Options;
using Raven.Storage.Paging;

namespace Shared.Storage;

/// <summary>
/// Crash tests over many seeds; every failure names the seed and the cut that show it again. Any thread: threads that
/// share a run count an image once between them.
/// </summary>
internal sealed class CrashRun(StorageHooks hooks, StorageDurability durability = StorageDurability.Durable)
{
    /// <summary>The transaction that an image recovers to, by the image's fingerprint.</summary>
    private readonly ConcurrentDictionary<ulong, long> _recovered = [];
    private readonly ConcurrentDictionary<PageKind, bool> _damagedKinds = [];
    private int _images;
    private int _overlaps;
    private int _throws;

    /// <summary>Images that were checked; the same image twice counts once.</summary>
    internal int Images => Volatile.Read(ref _images);

    /// <summary>Of merged writes: transactions that were made while the one before was written.</summary>
    internal int Overlaps => Volatile.Read(ref _overlaps);

    /// <summary>Of merged writes: those that threw in a transaction with others, or alone.</summary>
    internal int Throws => Volatile.Read(ref _throws);

    /// <summary>The kinds of pages in the files that were damaged.</summary>
    internal IEnumerable<PageKind> DamagedKinds => _damagedKinds.Keys;

    internal StorageHooks Hooks { get; } = hooks;

    /// <summary>Whether writes go through the merger, several at a time.</summary>
    internal bool MergesWrites { get; init; }

    /// <summary>Whether each commit is audited.</summary>
    internal bool AuditsCommits { get; init; } = true;

    /// <summary>A workload, cut at random operations.</summary>
    internal void RandomCuts(int seed, int steps, int images)
    {
        using CrashWorkload workload = Play(seed, steps);
        var random = new Random(seed);
        int[] cuts = [.. Enumerable.Range(0, images).Select(_ => random.Next(workload.Disk.Log.Count + 1)).Order()];
        using var maker = new CrashImages(workload.Disk.Log) { IsOneAtATime = true };
        foreach (int cut in cuts)
        {
            maker.AdvanceTo(cut);
            DiskImage image = maker.Make(random);
            Check(workload, image, cut, $"Seed {seed}, {steps} steps");
            maker.Recycle(image);
        }
    }

    /// <summary>
    /// Every operation of a short workload, each with all subsets of the sectors that are not durable if these are few,
    /// otherwise with random ones; or a share of these cuts.
    /// </summary>
    internal void EveryCut(
        int seed, int steps, int sectorsMax, int subsetsByChance, (int Part, int Of) share = default)
    {
        using CrashWorkload workload = Play(seed, steps);
        foreach ((DiskImage image, int cut) in ImagesOf(workload.Disk, seed, sectorsMax, subsetsByChance, share))
        {
            Check(workload, image, cut, $"Seed {seed}, {steps} steps");
        }
    }

    /// <summary>
    /// Every operation of a named scenario, as <see cref="EveryCut"/>; if it is about copies, every operation of the
    /// copy of the last state to another disk: whole, or absent.
    /// </summary>
    /// <returns>The images that no one had seen before.</returns>
    internal int EveryCutOf(CrashScenario scenario, int seed, int sectorsMax, int subsetsByChance)
    {
        // Marks of its own, as the scripts count them; journal files that do not grow, so that a short run uses them
        // again.
        using var workload = new CrashWorkload(seed, new StorageHooks(), durability: durability)
        {
            AuditsCommits = AuditsCommits,
            JournalSize = 32 << 10,
        };
        workload.Follow(scenario.Script);
        using var target = new SimulatedFileSystem();
        scenario.Copy?.Invoke(workload, target);
        SimulatedFileSystem disk = scenario.Copy is null ? workload.Disk : target;
        int images = 0;
        foreach ((DiskImage image, int cut) in ImagesOf(disk, seed, sectorsMax, subsetsByChance))
        {
            bool isNew = scenario.Copy is null
                ? Check(workload, image, cut, $"Scenario {scenario.Name}, seed {seed}", scenario.Look)
                : CheckCopy(workload, image, scenario, isEnded: cut > disk.Log.Count);
            images += isNew ? 1 : 0;
        }

        return images;
    }

    /// <summary>One more cut than there are operations: the last one has ended there. An image is dead when the next
    /// one is asked for.</summary>
    private static IEnumerable<(DiskImage Image, int Cut)> ImagesOf(
        SimulatedFileSystem disk, int seed, int sectorsMax, int subsetsByChance, (int Part, int Of) share = default)
    {
        var random = new Random(seed);
        using var maker = new CrashImages(disk.Log) { IsOneAtATime = true };
        int operations = disk.Log.Count;
        for (int cut = share.Part; cut <= operations; cut += Math.Max(1, share.Of))
        {
            maker.AdvanceTo(cut);
            int sectors = maker.PendingSectors();
            bool areFew = sectors <= sectorsMax;
            for (long i = 0; i < (areFew ? 1L << sectors : subsetsByChance); i++)
            {
                DiskImage image = areFew ? maker.MakeExactly(i) : maker.MakeNumber(i, random);
                yield return (image, cut);
                maker.Recycle(image);
            }
        }

        maker.AdvanceToEnd();
        yield return (maker.Make(random), operations + 1);
    }

    /// <summary>
    /// Power cuts at random operations of a workload whose process is killed now and then: what the next one finds was
    /// perhaps never synced.
    /// </summary>
    internal void CutsAfterKills(int seed, int steps, int kills, int images, bool checkpoints = false)
    {
        string run = $"Seed {seed}, {steps} steps, {kills} kills";
        using CrashWorkload workload = NewWorkload(seed);
        try
        {
            workload.RunWithKills(steps, kills, checkpoints);
        }
        catch (Exception failure)
        {
            throw new CrashTestException($"{run}: {failure.Message}", failure);
        }

        var random = new Random(seed);
        int[] cuts = [.. Enumerable.Range(0, images).Select(_ => random.Next(workload.Disk.Log.Count + 1)).Order()];
        using var maker = new CrashImages(workload.Disk.Log) { IsOneAtATime = true };
        foreach (int cut in cuts)
        {
            maker.AdvanceTo(cut);
            DiskImage image = maker.Make(random);
            Check(workload, image, cut, run);
            maker.Recycle(image);
        }
    }

    /// <summary>Crashes, and crashes again in the recovery from the crash, and once more.</summary>
    internal void CrashesInRecovery(int seed, int steps, int images, int depth)
    {
        using CrashWorkload workload = Play(seed, steps);
        var random = new Random(seed);
        int[] cuts = [.. Enumerable.Range(0, images).Select(_ => random.Next(workload.Disk.Log.Count + 1)).Order()];
        using var maker = new CrashImages(workload.Disk.Log);
        foreach (int cut in cuts)
        {
            maker.AdvanceTo(cut);
            DiskImage first = maker.Make(random);
            DiskImage image = first;
            List<CrashImages> makers = [];
            for (int level = 0; level < depth; level++)
            {
                CrashImages next = CrashWhileOpening(workload, image, random);
                makers.Add(next);
                image = next.Make(random);
                Check(workload, image, cut, $"Seed {seed}, {steps} steps");
            }

            makers.ForEach(ended => ended.Dispose());
            maker.Recycle(first);
        }
    }

    /// <summary>Bits flipped, sectors zeroed, pages exchanged, files cut, emptied and deleted, one at a time.</summary>
    internal void Damage(int seed, int steps, int flips)
    {
        using CrashWorkload workload = Play(seed, steps);
        using DiskImage image = workload.Disk.CurrentImage();
        foreach (PageKind kind in DamageCheck.KindsIn(image))
        {
            _damagedKinds.TryAdd(kind, true);
        }

        var random = new Random(seed);
        for (int i = 0; i < flips; i++)
        {
            DiskImage damaged = image.Share();
            int[] marks = [.. image.Files.Values.Select(file => file.Mark())];
            string what = DamageCheck.Damage(damaged, random);
            try
            {
                DamageCheck.Require(workload, damaged);
            }
            catch (Exception failure)
            {
                throw new CrashTestException($"Seed {seed}, {steps} steps, {what}: {failure.Message}", failure);
            }

            foreach ((FileBytes file, int mark) in image.Files.Values.Zip(marks))
            {
                file.BackTo(mark);
            }
        }
    }

    /// <summary>Each bit of the header of each page, and of what is left of the journal, turned over one at a
    /// time.</summary>
    /// <returns>How many.</returns>
    internal int DamageEverywhere(int seed, int steps)
    {
        using CrashWorkload workload = Play(seed, steps);
        using DiskImage image = workload.Disk.CurrentImage();
        (string File, int Offset, int Bit)[] all =
            [.. DamageCheck.HeaderBits(image), .. DamageCheck.JournalBits(image)];
        return DamageEach(workload, image, all, $"Seed {seed}, {steps} steps");
    }

    /// <summary>
    /// Each bit of a journal that holds so many transactions in one chain of records, with nothing flushed and the file
    /// never changed for another, turned over one at a time; or a share of these bits.
    /// </summary>
    /// <returns>How many, of how many bytes.</returns>
    internal (int Bits, int Bytes) DamageJournal(int seed, int transactions, (int Part, int Of) share)
    {
        using var workload = new CrashWorkload(seed, Hooks) { JournalSize = 512 << 10 };
        workload.Follow(commits =>
        {
            for (int i = 0; i < transactions; i++)
            {
                commits.Commit($"{i % 4}/{i % 20}", i % 8 == 7 ? 1_500 : 20 + (i * 3));
            }
        });
        using DiskImage image = workload.Disk.CurrentImage();
        (string File, int Offset, int Bit)[] all = [.. DamageCheck.JournalBits(image)];
        if (all.DistinctBy(place => place.File).Count() != 1)
        {
            throw new CrashTestException($"{transactions} transactions are more than one journal file holds.");
        }

        int bits = DamageEach(
            workload, image, all.Where((_, i) => i % share.Of == share.Part), $"Seed {seed}, {transactions} commits");
        return (bits, all.DistinctBy(place => place.Offset).Count());
    }

    private static int DamageEach(
        CrashWorkload workload, DiskImage image, IEnumerable<(string File, int Offset, int Bit)> places, string what)
    {
        int count = 0;
        foreach ((string file, int offset, int bit) in places)
        {
            FileBytes bytes = image.Files[file];
            bytes.Span[offset] ^= (byte)(1 << bit);
            try
            {
                DamageCheck.Require(workload, image);
            }
            catch (Exception failure)
            {
                throw new CrashTestException(
                    $"{what}, {file}: bit {bit} of byte {offset}: {failure.Message}", failure);
            }

            bytes.Span[offset] ^= (byte)(1 << bit);
            count++;
        }

        return count;
    }

    private CrashWorkload NewWorkload(int seed) => new(seed, Hooks, durability: durability)
    {
        MergesWrites = MergesWrites,
        AuditsCommits = AuditsCommits,
    };

    private CrashWorkload Play(int seed, int steps)
    {
        try
        {
            CrashWorkload workload = NewWorkload(seed);
            workload.Run(steps);
            if (MergesWrites)
            {
                Interlocked.Add(ref _overlaps, workload.Merged.Overlaps);
                Interlocked.Add(ref _throws, workload.Merged.Throws);
            }

            return workload;
        }
        catch (Exception failure)
        {
            throw new CrashTestException(
                $"The workload itself (seed {seed}, {steps} steps): {failure.Message}", failure);
        }
    }

    /// <summary>
    /// An image that was opened before is not opened again. What it recovers to must fit this cut too, which may be
    /// behind an acknowledgement that the first one was before.
    /// </summary>
    /// <returns>True if the image was not seen before.</returns>
    private bool Check(
        CrashWorkload workload, DiskImage image, int cut, string what, Action<CrashWorkload, DiskImage>? look = null)
    {
        ulong fingerprint = image.Fingerprint();
        try
        {
            if (_recovered.TryGetValue(fingerprint, out long recovered))
            {
                CrashCheck.RequireBounds(workload, recovered, cut);
                return false;
            }

            long found = CrashCheck.Require(workload, image, cut);
            look?.Invoke(workload, image);
            return IsNew(fingerprint, found);
        }
        catch (Exception failure)
        {
            string operation = cut == 0 || cut > workload.Disk.Log.Count
                ? "nothing"
                : workload.Disk.Log[cut - 1].ToString();
            throw new CrashTestException(
                $"{what}, cut {cut} in \"{operation}\": {failure.Message}", failure);
        }
    }

    /// <summary>As <see cref="Check"/>; the end is looked at even if a cut before it left the same.</summary>
    private bool CheckCopy(CrashWorkload workload, DiskImage image, CrashScenario scenario, bool isEnded)
    {
        ulong fingerprint = image.Fingerprint();
        if (!isEnded && _recovered.ContainsKey(fingerprint))
        {
            return false;
        }

        return IsNew(fingerprint, CopyCheck.Require(workload, image, scenario, isEnded));
    }

    private bool IsNew(ulong fingerprint, long recovered)
    {
        bool isNew = _recovered.TryAdd(fingerprint, recovered);
        if (isNew)
        {
            Interlocked.Increment(ref _images);
        }

        return isNew;
    }

    /// <summary>Opens an image, and stops at some operation of that.</summary>
    private static CrashImages CrashWhileOpening(CrashWorkload workload, DiskImage image, Random random)
    {
        using var disk = new SimulatedFileSystem(image);
        var numbers = image.Files.Keys.ToDictionary(name => name, disk.NumberOf);
        workload.Open(disk).Dispose();
        var maker = new CrashImages(disk.Log, image.Copy(), name => numbers[name]);
        maker.AdvanceTo(random.Next(disk.Log.Count + 1));
        return maker;
    }
}
