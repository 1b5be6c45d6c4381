using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Replication;

/// <summary>A folder that is behind is brought to a later state by the pages that have changed since.</summary>
public sealed class PageDeltaTests
{
    /// <summary>From each state that the primary has had, and from none: of a node that is new.</summary>
    [Theory]
    [Trait("Invariant", "DELTA-1")]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(5)]
    public async Task A_delta_from_any_state_makes_the_pages_of_the_primary(int seed)
    {
        List<(LogPosition Position, DiskImage Image)> behind = [];
        using var follower = new Follower(seed);
        behind.Add((default, Closed(follower)));
        StorageEnvironment? primary = null;
        RecordingGate? gate = null;
        gate = new RecordingGate
        {
            Ships = follower.Apply,
            Settled = id =>
            {
                follower.Publish(id);
                if (id % 7 == 0)
                {
                    behind.Add((gate!.Records[^1].Position, Closed(follower)));
                }
            },
        };
        using var workload = new CrashWorkload(seed, StorageHooks.Off)
        {
            Opened = environment => gate.Attach(primary = environment),
        };
        workload.Run(60);
        Assert.True(behind.Count > 3, $"{behind.Count} states");
        foreach ((LogPosition position, DiskImage image) in behind)
        {
            using var disk = new SimulatedFileSystem(image);
            byte[] delta = await CopyAsync(primary!, position.TransactionId);
            Assert.Equal(primary!.Log, await ApplyAsync(follower.Options(disk), delta, position));
            Assert.Equal(primary.Log, LogScan.Run(follower.Options(disk))!.Last);
            using StorageEnvironment copy = StorageEnvironment.Open(follower.Options(disk));
            Assert.Null(StatePages.Difference(primary, copy));
            Assert.Empty(copy.Audit().Findings);
        }

        // It goes on from there.
        follower.Reopen();
        behind.ForEach(each => each.Image.Dispose());
    }

    /// <summary>A cut leaves the state before, the state behind, or a folder that says that it is neither.</summary>
    [Theory]
    [Trait("Invariant", "DELTA-1")]
    [Trait("Invariant", "DELTA-2")]
    [InlineData(2)]
    [InlineData(4)]
    public async Task A_delta_is_made_again_after_a_cut_at_any_of_its_writes(int seed)
    {
        using var follower = new Follower(seed);
        bool isAway = false;
        StorageEnvironment? primary = null;
        var gate = new RecordingGate
        {
            Ships = record => Do(() => follower.Apply(record)),
            Settled = id => Do(() => follower.Publish(id)),
        };
        using var workload = new CrashWorkload(seed, StorageHooks.Off)
        {
            Opened = environment => gate.Attach(primary = environment),
        };
        workload.Run(25);
        isAway = true;
        using DiskImage image = Closed(follower);
        LogPosition start = follower.Environment.Log;
        workload.Run(12);
        byte[] delta = await CopyAsync(primary!, start.TransactionId);
        using var disk = new SimulatedFileSystem(image);
        DiskImage before = disk.CurrentImage();
        await ApplyAsync(follower.Options(disk), delta, start);

        // Further on while the node is down.
        workload.Run(6);
        byte[] next = await CopyAsync(primary!, start.TransactionId);
        (int old, int unfinished, int done) = (0, 0, 0);
        var random = new Random(seed);
        using var maker = new CrashImages(disk.Log, before, disk.NumberOf) { IsOneAtATime = true };
        int step = Math.Max(1, disk.Log.Count / 30);
        for (int cut = 0; cut <= disk.Log.Count; cut += cut < disk.Log.Count - 12 ? step : 1)
        {
            maker.AdvanceTo(cut);
            DiskImage left = maker.Make(random);
            using (var crashed = new SimulatedFileSystem(left, borrows: true))
            {
                bool isUnfinished = PageDelta.IsUnfinished(crashed);
                LogPosition found = StateOf(follower.Options(crashed), isUnfinished);
                unfinished += isUnfinished ? 1 : 0;
                old += !isUnfinished && found == start ? 1 : 0;
                done += !isUnfinished && found != start ? 1 : 0;
                byte[] again = found == start ? next : await CopyAsync(primary!, found.TransactionId);
                Assert.Equal(primary!.Log, await ApplyAsync(follower.Options(crashed), again, found));
                using StorageEnvironment copy = StorageEnvironment.Open(follower.Options(crashed));
                Assert.Null(StatePages.Difference(primary, copy));
            }

            maker.Recycle(left);
        }

        Assert.True(old > 0 && unfinished > 3, $"{old} before, {unfinished} unfinished, {done} done");

        void Do(Action step)
        {
            if (!isAway)
            {
                step();
            }
        }
    }

    [Fact]
    [Trait("Invariant", "DELTA-1")]
    public async Task A_delta_that_is_damaged_or_of_another_state_changes_no_state()
    {
        using var follower = new Follower(3);
        StorageEnvironment? primary = null;
        using var workload = new CrashWorkload(2, StorageHooks.Off)
        {
            Opened = environment => new RecordingGate().Attach(primary = environment),
        };
        workload.Run(20);
        using DiskImage image = Closed(follower);
        byte[] delta = await CopyAsync(primary!, 0);
        byte[] other = await CopyAsync(primary!, 3);
        using var disk = new SimulatedFileSystem(image);
        int before = disk.Log.Count;
        await RequireRefusedAsync(other);
        await RequireRefusedAsync(delta[..20]);
        await RequireRefusedAsync([.. new byte[8], .. delta[8..]]);
        Assert.Equal(before, disk.Log.Count);
        Assert.False(PageDelta.IsUnfinished(disk));

        // From its first page on the folder waits for a whole one.
        var random = new Random(3);
        for (int i = 0; i < 20; i++)
        {
            byte[] damaged = i % 2 == 0 ? delta[..random.Next(100, delta.Length)] : [.. delta];
            damaged[random.Next(44, damaged.Length)] ^= 4;
            await RequireRefusedAsync(damaged);
        }

        await RequireRefusedAsync([.. delta, 1]);
        Assert.True(PageDelta.IsUnfinished(disk));
        await ApplyAsync(follower.Options(disk), delta, default);
        Assert.False(PageDelta.IsUnfinished(disk));
        using StorageEnvironment copy = StorageEnvironment.Open(follower.Options(disk));
        Assert.Null(StatePages.Difference(primary!, copy));

        async Task RequireRefusedAsync(byte[] bytes)
        {
            using var target = new PageDelta(follower.Options(disk));
            await Assert.ThrowsAsync<StorageCorruptedException>(
                () => target.ApplyAsync("delta", new MemoryStream(bytes), CancellationToken.None));
            Assert.Equal(default, target.Base);
        }
    }

    [Fact]
    public async Task A_folder_that_is_open_or_has_a_journal_in_use_takes_no_delta()
    {
        using var workload = new CrashWorkload(2, StorageHooks.Off)
        {
            Opened = environment => new RecordingGate().Attach(environment),
        };
        workload.Run(8);
        using DiskImage image = workload.Disk.CurrentImage();
        using var disk = new SimulatedFileSystem(image);
        Assert.Throws<InvalidOperationException>(() => new PageDelta(workload.Options(disk)));
        workload.Open(disk).Dispose();

        // Nothing has changed: nothing is written.
        int before = disk.Log.Count;
        long last = workload.Environment!.LastTransactionId;
        byte[] empty = await CopyAsync(workload.Environment, last);
        using var delta = new PageDelta(workload.Options(disk));
        Assert.Equal(
            workload.Environment.Log,
            await delta.ApplyAsync("empty", new MemoryStream(empty), CancellationToken.None));
        Assert.Equal(before, disk.Log.Count);
    }

    /// <summary>The state of a folder that opens, or that its next delta begins with.</summary>
    private static LogPosition StateOf(StorageOptions options, bool isUnfinished)
    {
        if (isUnfinished)
        {
            Assert.Throws<DeltaUnfinishedException>(() => StorageEnvironment.Open(options));
            using var look = new PageDelta(options);
            return look.Base;
        }

        using StorageEnvironment opened = StorageEnvironment.Open(options);
        Assert.Empty(opened.Audit().Findings);
        return opened.Log;
    }

    /// <summary>The folder as it is when its node is shut down now; the node goes on.</summary>
    private static DiskImage Closed(Follower follower)
    {
        using DiskImage image = follower.Disk.CurrentImage();
        using var disk = new SimulatedFileSystem(image);
        StorageEnvironment.Open(follower.Options(disk)).Dispose();
        return disk.CurrentImage();
    }

    private static async Task<byte[]> CopyAsync(StorageEnvironment primary, long baseTransaction)
    {
        using var target = new MemoryStream();
        await new PageBackup(primary, baseTransaction).RunAsync(target, CancellationToken.None);
        return target.ToArray();
    }

    private static async Task<LogPosition> ApplyAsync(StorageOptions options, byte[] delta, LogPosition start)
    {
        using var target = new PageDelta(options);
        Assert.Equal(start, target.Base);
        return await target.ApplyAsync("delta", new MemoryStream(delta), CancellationToken.None);
    }
}
