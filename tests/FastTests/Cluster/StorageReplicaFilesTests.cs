using Raven.Cluster.Replication;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Log;
using Shared.Cluster;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>The files of a node as its replication drives them, on simulated disks.</summary>
public sealed class StorageReplicaFilesTests
{
    private const ulong Lineage = 11;
    private const ulong OtherLineage = 12;

    [Fact]
    public async Task A_new_group_is_founded_copied_and_followed_and_the_follower_goes_on_as_primary()
    {
        using Node primary = await Node.LeadAsync();
        primary.Put(5);
        Assert.Equal(6, primary.Files.Visible.TransactionId);
        Assert.Equal(primary.Files.Visible, primary.Database.Seen);
        using var follower = new Node();
        Assert.Equal(0ul, follower.Files.Scan().EnvironmentId);
        ReplicaStart copied = await follower.CopyAsync(primary, 0, keepsOld: false);
        Assert.Equal(primary.Files.Visible, Assert.Single(copied.Points));
        Assert.Equal((Lineage, 0ul, false), (copied.Lineage, copied.PreviousLineage, copied.NeedsPages));
        Assert.Equal(primary.Database.Environment!.EnvironmentId, copied.EnvironmentId);
        Assert.Equal(copied.EnvironmentId, follower.Files.Recover(copied.Floor.TransactionId));
        for (int i = 0; i < 40; i++)
        {
            primary.Put(1);
            follower.Follow(primary);
            primary.Database.RunBackground();
        }

        Assert.Null(StatePages.Difference(primary.Database.Environment, follower.Database.Environment!));
        await follower.Files.OpenEpochAsync(2, Lineage);
        primary.Files.Shut();
        primary.Follow(follower);
        follower.Put(3);
        primary.Follow(follower);
        Assert.Null(StatePages.Difference(primary.Database.Environment, follower.Database.Environment!));
        Assert.Equal(2, primary.Files.Visible.Epoch);
        Assert.Throws<UnauthorizedAccessException>(() => primary.Put(1));
    }

    [Fact]
    [Trait("Invariant", "LOG-3")]
    public async Task Records_can_be_shipped_while_the_files_are_closed_and_when_they_are_open_again()
    {
        using Node primary = await Node.LeadAsync();
        using Node follower = await Node.CopyOfAsync(primary);
        primary.Put(3);
        primary.Parks = true;
        Task writer = Task.Run(() => primary.Put(1));
        await primary.ParkedAsync();
        using DiskImage image = primary.Disk.CurrentImage();
        using var restarted = new Node(image);
        ReplicaStart start = restarted.Files.Scan();
        Assert.Equal(primary.Files.Durable, start.Points[^1]);
        Assert.Equal(primary.Files.Visible, start.Floor);
        Assert.Equal(start.Points.Count, start.Bytes.Count);
        foreach (LogPosition point in start.Points.Skip(1))
        {
            Assert.Equal(start.Bytes[start.Points.ToList().IndexOf(point)], restarted.Files.Find(point)!.Value.Length);
            if (point.TransactionId > follower.Files.Durable.TransactionId)
            {
                follower.Take(restarted.Files.Find(point)!.Value);
            }
        }

        Assert.Equal(start.Points[^1], follower.Files.Visible);
        restarted.Files.Recover(start.Points[^1].TransactionId);
        Assert.NotNull(restarted.Files.Find(start.Points[^1]));
        Assert.Null(StatePages.Difference(restarted.Database.Environment!, follower.Database.Environment!));
        restarted.Files.Forget(start.Points[^1].TransactionId);
        Assert.Null(restarted.Files.Find(start.Points[^1]));
        primary.Files.Lose(new IOException("test"));
        await Assert.ThrowsAsync<StoragePoisonedException>(() => writer);
    }

    [Fact]
    public async Task A_transaction_in_doubt_is_told_so_and_is_kept_or_dropped_by_the_next_open()
    {
        using Node node = await Node.LeadAsync();
        node.Put(2);
        LogPosition committed = node.Files.Visible;
        for (int round = 0; round < 2; round++)
        {
            node.Parks = true;
            Task writer = Task.Run(() => node.Put(1));
            await node.ParkedAsync();
            node.Files.Lose(new IOException("another epoch"));
            StoragePoisonedException told = await Assert.ThrowsAsync<StoragePoisonedException>(() => writer);
            Assert.Contains("neither failed nor", told.ToString(), StringComparison.Ordinal);
            node.Files.Close();
            ReplicaStart start = node.Files.Scan();
            Assert.Equal(committed, start.Floor);
            Assert.Equal(committed.TransactionId + 1, start.Points[^1].TransactionId);
            node.Files.Recover(committed.TransactionId + round);
            Assert.Equal(round == 0 ? committed : start.Points[^1], node.Files.Visible);
            Assert.Equal(round == 0, node.Files.Find(start.Points[^1]) is null);
            node.Parks = false;
            await node.Files.OpenEpochAsync(3 + round, Lineage);
            committed = node.Files.Visible;
        }
    }

    [Fact]
    [Trait("Invariant", "LINEAGE-1")]
    public async Task A_history_counts_from_before_its_first_transaction_on()
    {
        using Node primary = await Node.LeadAsync();
        primary.Put(4);
        using Node follower = await Node.CopyOfAsync(primary);
        using Node late = await Node.CopyOfAsync(primary);
        long forkedAt = primary.Files.Visible.TransactionId;
        await primary.Files.OpenEpochAsync(2, OtherLineage);
        follower.Follow(primary, OtherLineage);
        using DiskImage image = follower.Disk.CurrentImage();
        using var crashed = new Node(image);
        ReplicaStart start = crashed.Files.Scan();
        Assert.Equal((OtherLineage, Lineage, forkedAt), (start.Lineage, start.PreviousLineage, start.ForkedAt));
        crashed.Files.Recover(forkedAt);
        Assert.Equal(OtherLineage, crashed.Rescan().Lineage);

        // It was noted, and the crash came before the transaction; then one more was lost, too.
        Assert.Throws<LogRecordException>(() => late.Files.Apply(OtherLineage, new byte[300]));
        Assert.Equal(OtherLineage, late.Rescan().Lineage);
        late.Files.Recover(forkedAt);
        Assert.Equal(OtherLineage, late.Rescan().Lineage);
    }

    [Fact]
    [Trait("Invariant", "LINEAGE-2")]
    public async Task A_node_that_is_behind_takes_what_has_changed_and_again_if_it_was_cut_off()
    {
        using Node primary = await Node.LeadAsync();
        primary.Put(30);
        using Node follower = await Node.CopyOfAsync(primary);
        long since = follower.Files.Visible.TransactionId;
        primary.Put(20);
        await primary.Files.OpenEpochAsync(2, OtherLineage);
        using var pages = new MemoryStream();
        await primary.Files.SendPagesAsync(since, pages, CancellationToken.None);
        foreach (long length in new[] { 0, 20, 40, 100, pages.Length / 2, pages.Length - 1 })
        {
            using var cut = new MemoryStream(pages.ToArray(), 0, (int)length);
            await Assert.ThrowsAnyAsync<Exception>(
                () => follower.Files.TakePagesAsync(since, false, cut, CancellationToken.None));
            ReplicaStart left = follower.Rescan();
            Assert.Equal(since, left.Floor.TransactionId);
            Assert.Equal(left.NeedsPages ? OtherLineage : Lineage, left.Lineage);
            Assert.Equal(length > pages.Length / 3, left.NeedsPages);
        }

        ReplicaStart start = await follower.CopyAsync(primary, since, keepsOld: false);
        Assert.Equal(primary.Files.Visible, Assert.Single(start.Points));
        Assert.Equal((OtherLineage, false), (start.Lineage, start.NeedsPages));
        follower.Files.Recover(start.Floor.TransactionId);
        Assert.Null(StatePages.Difference(primary.Database.Environment!, follower.Database.Environment!));
        Assert.Empty(follower.Database.Environment!.Audit().Findings);
    }

    [Fact]
    public async Task What_is_of_another_history_is_kept_aside_and_can_be_opened_again()
    {
        using Node primary = await Node.LeadAsync();
        using Node other = await Node.LeadAsync();
        other.Put(7);
        ulong id = other.Database.Environment!.EnvironmentId;
        ReplicaStart start = await other.CopyAsync(primary, 0, keepsOld: true);
        Assert.NotEqual(id, start.EnvironmentId);
        Assert.Equal(primary.Files.Visible, Assert.Single(start.Points));
        Assert.True(start.KeptAsideBytes > 7_000, $"{start.KeptAsideBytes} bytes");
        foreach (string name in other.Disk.List().Where(name => name.StartsWith("kept-1-", StringComparison.Ordinal)))
        {
            other.Disk.Rename(name, name["kept-1-".Length..]);
        }

        ReplicaStart old = other.Rescan();
        Assert.Equal((id, 8), (old.EnvironmentId, old.Points[^1].TransactionId));
        Assert.Equal((Lineage, 0), (old.Lineage, old.KeptAsideBytes));
    }

    [Fact]
    public async Task Before_a_planned_switch_what_is_on_its_way_ends_and_nothing_follows()
    {
        using Node node = await Node.LeadAsync();
        node.Parks = true;
        Task writer = Task.Run(() => node.Put(1), TestContext.Current.CancellationToken);
        await node.ParkedAsync();
        Task drained = node.Files.DrainAsync(CancellationToken.None);
        Assert.False(node.Database.TakesWrites);
        Assert.False(drained.IsCompleted);
        node.Files.Publish(node.Files.Durable.TransactionId);
        await writer;
        await drained;
        Assert.Throws<UnauthorizedAccessException>(() => node.Put(1));
        node.Parks = false;
        node.Files.Lead(1);
        Assert.True(node.Database.TakesWrites);
        node.Put(1);
        Assert.Equal(3, node.Files.Visible.TransactionId);
    }

    [Fact]
    public async Task A_damaged_note_of_the_histories_is_refused_by_name()
    {
        using Node node = await Node.LeadAsync();
        node.Files.Close();
        using (IFile file = node.Disk.Open("lineage.raven", FileOpenMode.Existing))
        {
            file.WriteAt(30, [77]);
        }

        StorageCorruptedException refused = Assert.Throws<StorageCorruptedException>(() => node.Files.Scan());
        Assert.Contains("lineage.raven", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>A node with a disk of its own, whose commits are settled at once, unless it parks them.</summary>
    private sealed class Node : IReplicaFilesWatcher, IDisposable
    {
        private readonly SemaphoreSlim _parked = new(0);
        private readonly Dictionary<long, LogPosition> _positions = [];
        private int _value;

        internal Node(DiskImage? image = null)
        {
            Disk = image is null ? new SimulatedFileSystem() : new SimulatedFileSystem(image);
            Database = new ReplicaTestDatabase(Disk);
            Files = new StorageReplicaFiles(Database) { Watcher = this };
        }

        internal SimulatedFileSystem Disk { get; }

        internal ReplicaTestDatabase Database { get; }

        internal StorageReplicaFiles Files { get; }

        internal bool Parks { get; set; }

        /// <summary>A node that has founded a group and leads it.</summary>
        internal static async Task<Node> LeadAsync()
        {
            var node = new Node();
            node.Files.Found(Lineage);
            ReplicaStart start = node.Files.Scan();
            Assert.Equal(Lineage, start.Lineage);
            node.Files.Recover(start.Points[^1].TransactionId);
            await node.Files.OpenEpochAsync(1, Lineage);
            return node;
        }

        /// <summary>A node that has copied another one and follows it.</summary>
        internal static async Task<Node> CopyOfAsync(Node primary)
        {
            var node = new Node();
            ReplicaStart start = await node.CopyAsync(primary, 0, keepsOld: false);
            node.Files.Recover(start.Floor.TransactionId);
            return node;
        }

        public void Taken(LogPosition position, int bytes)
        {
            Assert.Equal(bytes, Files.Find(position)!.Value.Length);
            _positions[position.TransactionId] = position;
        }

        public void Written(long transactionId)
        {
            if (Parks)
            {
                _parked.Release();
            }
            else
            {
                Files.Publish(transactionId);
            }
        }

        public void Failed(long transactionId, Exception failure) => Assert.Fail(failure.Message);

        public void Dispose()
        {
            Files.Dispose();
            _parked.Dispose();
            Disk.Dispose();
        }

        internal Task ParkedAsync() => _parked.WaitAsync();

        internal void Put(int count)
        {
            for (int i = 0; i < count; i++)
            {
                byte[] value = new byte[1000 + (_value * 37 % 9000)];
                value.AsSpan().Fill((byte)++_value);
                Database.Put("tree", [(byte)(_value % 23)], value);
            }
        }

        /// <summary>Takes all that a primary has committed.</summary>
        internal void Follow(Node primary, ulong lineage = Lineage)
        {
            while (Files.Visible.TransactionId < primary.Files.Visible.TransactionId)
            {
                LogPosition next = primary._positions[Files.Visible.TransactionId + 1];
                Take(primary.Files.Find(next)!.Value, lineage);
            }
        }

        internal void Take(ReadOnlyMemory<byte> record, ulong lineage = Lineage) =>
            Files.Publish(Files.Apply(lineage, record).TransactionId);

        internal async Task<ReplicaStart> CopyAsync(Node primary, long since, bool keepsOld)
        {
            using var pages = new MemoryStream();
            await primary.Files.SendPagesAsync(since, pages, CancellationToken.None);
            pages.Position = 0;
            return await Files.TakePagesAsync(since, keepsOld, pages, CancellationToken.None);
        }

        internal ReplicaStart Rescan()
        {
            Files.Close();
            return Files.Scan();
        }
    }
}
