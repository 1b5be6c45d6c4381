using System.Runtime.InteropServices;
using FastTests.Documents;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Changes;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Reduce;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Search.Fields;
using Raven.Storage.Errors;
using Raven.Storage.Platform;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>What the files of an index meet as they are opened ends no thread, and leaves no file open.</summary>
public sealed class IndexOpeningTests
{
    private static readonly IndexingOptions ByHand = new() { ThreadsMax = -1, StaleWaitMax = TimeSpan.Zero };

    [Fact]
    public void An_index_thread_goes_on_if_the_database_is_deleted_while_its_index_is_opened()
    {
        using IndexedDatabase database = new(ByHand);
        DatabaseIndex index = MakeIndex(database);
        using IndexBlocker blocker = new(index);
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(index.RunQueued)) { IsBackground = true };
        thread.Start();
        Deadline.Until(() => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0);

        // The thread holds the database, and its index is not opened: that finds it deleted.
        int told = 0;
        database.Database.Changes.Add(new DeletionListener(() =>
        {
            told++;
            blocker.Dispose();
            thread.Join();
        }));
        database.Database.Delete(() => { });
        Assert.Equal(1, told);
        Assert.Null(failure);
        Assert.Null(index.OpenedStorage);
        Assert.Empty(index.Failures.ToArray());
    }

    [Fact]
    public void Index_files_that_cannot_be_opened_fail_the_batch_and_the_merge_but_no_thread()
    {
        bool fails = true;
        using IndexedDatabase database = new(
            ByHand, configure: storage => fails ? throw new InvalidOperationException("planted") : storage);
        DatabaseIndex index = MakeIndex(database);
        index.RunQueued();
        Assert.Contains(index.Failures.ToArray(), one => one.Message == "planted");
        index.Maintenance.MergeLarge();
        Assert.Equal(0, index.CoveredEtag);

        fails = false;
        Assert.Equal(["users/1"], database.AskFresh("from Users where A = 1").Ids);
    }

    [Fact]
    public void An_index_with_damage_in_what_its_opening_reads_is_rebuilt()
    {
        using TestFiles files = new();
        int loads = 0;
        IndexStorage opened = Open(files, _ => Damage(++loads), out string? problem);
        Assert.Equal(2, loads);
        Assert.Contains("planted", problem, StringComparison.Ordinal);
        opened.Retire(isDeleted: false);
        Open(files, _ => { }, out problem).Retire(isDeleted: true);
        Assert.Null(problem);
    }

    [Fact]
    public void An_index_opening_that_fails_leaves_no_file_open()
    {
        using TestFiles files = new();
        Assert.Throws<TimeoutException>(
            () => Open(files, _ => throw new TimeoutException(), out string? _));
        Open(files, _ => { }, out string? problem).Retire(isDeleted: true);
        Assert.Null(problem);
    }

    [Fact]
    public async Task A_batch_that_fails_at_its_beginning_does_not_block_the_next_one()
    {
        using IndexedDatabase database = new(ByHand);
        MakeIndex(database);
        DatabaseIndex index = await database.Database.Indexes.Changes.PutAsync(new IndexDefinition
        {
            Name = "Counts",
            Maps = ["map('Users', u => ({ A: u.A, N: 1 }))"],
            Reduce = "groupBy(x => x.A).aggregate(g => ({ A: g.key, N: g.values.length }))",
        });
        Store(database, index, count: 7);
        for (int run = 0; run < 2; run++)
        {
            index.RunQueued();
            Assert.All(index.Failures.ToArray(), one => Assert.Contains("format 7", one.Message));
        }

        Assert.Equal(2, index.Failures.ToArray().Length);
        Store(database, index, count: 1);
        index.RunQueued();
        Assert.Equal(1, index.Position.MapAttempts);
    }

    [Fact]
    public void Index_work_waits_if_the_system_refuses_a_thread_and_runs_when_one_starts_later()
    {
        var system = new RefusingSystem { Refuses = true };
        var threads = new IndexingThreads(1, system.Start);
        using IndexedDatabase database = new(ByHand);
        DatabaseIndex index = MakeIndex(database);
        threads.Enqueue(index);
        Assert.Equal(0, threads.Count);
        system.Refuses = false;
        threads.WakeIfWaiting();
        Deadline.Until(() => index.CoveredEtag > 0);
        threads.Dispose();
        Assert.Equal(0, threads.Count);
    }

    [Fact]
    public void Maintenance_of_an_index_that_fails_is_queued_once_and_tried_again()
    {
        using IndexedDatabase database = new(ByHand);
        DatabaseIndex index = MakeIndex(database);
        var queue = new IndexMaintenanceQueue(database.Database.Indexes);
        bool fails = true;
        int tried = 0;
        ValueTask Work()
        {
            Interlocked.Increment(ref tried);
            return Volatile.Read(ref fails) ? throw new IOException("planted") : default;
        }

        for (int i = 0; i < 100; i++)
        {
            queue.Begin(index, IndexMaintenanceTask.Rebuild, Work);
        }

        Deadline.Until(() => Volatile.Read(ref tried) == 1);
        Assert.Equal(1, queue.Count);
        Volatile.Write(ref fails, false);
        Deadline.Until(() =>
        {
            queue.RetryFailed();
            return queue.Count == 0;
        });
        Assert.Equal(2, Volatile.Read(ref tried));
    }

    [Fact]
    public void Repeated_damage_of_the_same_index_files_counts_as_one_failure_and_a_full_disk_as_none()
    {
        using TestFiles files = new();
        var damage = new StorageCorruptedException("data.voron", 0, "planted");
        FailureStreak streak = new();
        for (int incarnation = 1; incarnation <= 3; incarnation++)
        {
            IndexStorage storage = Open(files, _ => { }, out string? _);
            for (int i = 0; i < 5; i++)
            {
                Assert.Null(streak.Note(new IOException("planted")));
                Assert.Equal(incarnation == 3, streak.Note(storage, damage) is not null);
            }

            storage.Retire(isDeleted: true);
        }

        streak.Clear();
        string?[] told = [.. Enumerable.Range(0, 10).Select(_ => streak.Note(new InsufficientMemoryException()))];
        Assert.All(told[..9], Assert.Null);
        Assert.StartsWith("it failed 10 times in a row", told[9], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "RUN-1")]
    [Trait("Invariant", "RUN-2")]
    public void A_batch_whose_commit_fails_moves_no_position_and_its_documents_are_indexed_later()
    {
        FailingFileSystem disk = null!;
        using IndexedDatabase database = new(ByHand, configure: storage =>
        {
            disk = new FailingFileSystem(storage.FileSystem);
            return storage with { FileSystem = disk };
        });
        DatabaseIndex index = MakeIndex(database);
        index.RunQueued();
        long covered = index.CoveredEtag;
        Assert.Equal(1, index.Position.MapAttempts);
        Put(database, "users/2");
        disk.Fails = true;
        index.RunQueued();
        Assert.InRange(index.CoveredEtag, 0, covered);
        Assert.Equal(1, index.Position.MapAttempts);

        disk.Fails = false;
        database.Restart();
        Assert.Equal(["users/1", "users/2"], database.AskFresh("from Users where A = 1").Ids.Order());
    }

    [Fact]
    public void An_index_that_failed_is_run_again_by_the_clock_and_not_by_each_commit()
    {
        FailingFileSystem disk = null!;
        using IndexedDatabase database = new(ByHand, configure: storage =>
        {
            disk = new FailingFileSystem(storage.FileSystem);
            return storage with { FileSystem = disk };
        });
        DatabaseIndex index = MakeIndex(database);
        DatabaseIndexes indexes = database.Database.Indexes;
        IndexingThreads threads = indexes.Services.Threads;
        index.RunQueued();
        int before = threads.ReadyCount;
        Put(database, "users/2");
        indexes.EnqueueBehind();
        Assert.Equal(before + 1, threads.ReadyCount);
        disk.Fails = true;
        index.RunQueued();
        for (int commit = 3; commit < 6; commit++)
        {
            Put(database, $"users/{commit}");
            indexes.EnqueueBehind();
            Assert.Equal(before + 1, threads.ReadyCount);
        }

        indexes.Tick();
        Assert.Equal(before + 2, threads.ReadyCount);
        disk.Fails = false;
        index.RunQueued();
        Assert.Equal(5, database.AskFresh("from Users where A = 1").Ids.Count);
    }

    [Fact]
    [Trait("Invariant", "THR-2")]
    public void An_index_that_two_threads_run_is_run_by_one_after_the_other()
    {
        using IndexedDatabase database = new(ByHand);
        DatabaseIndex index = MakeIndex(database);
        Thread[] threads =
            [.. Enumerable.Range(0, 2).Select(_ => new Thread(index.RunQueued) { IsBackground = true })];
        using (new IndexBlocker(index))
        {
            Array.ForEach(threads, thread => thread.Start());
            Deadline.Until(() => threads.All(thread => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0));
            Assert.Equal(0, index.Position.MapAttempts);
        }

        Array.ForEach(threads, thread => thread.Join());
        Assert.Equal(1, index.Position.MapAttempts);
        Assert.Empty(index.Failures.ToArray());
    }

    [Fact]
    [Trait("Invariant", "THR-4")]
    public void A_thread_of_indexes_has_a_smaller_share_of_a_core_than_one_of_requests()
    {
        ThreadFacts facts = default;
        using IndexedDatabase database = new(ByHand, configure: storage =>
        {
            facts = ThreadFacts.OfThisThread;
            return storage;
        });
        DatabaseIndex index = MakeIndex(database);
        using (var threads = new IndexingThreads(1))
        {
            threads.Enqueue(index);
            Deadline.Until(() => index.CoveredEtag > 0);
        }

        int own = ThreadFacts.After(() => { }).Niceness;
        bool isPossible = ThreadFacts.After(() => ThreadScheduling.TryLower(1)).Niceness > own;
        Assert.Equal(isPossible, facts.Niceness > own);
    }

    /// <summary>Writes what the first record of the groups is, as another version would.</summary>
    private static void Store(IndexedDatabase database, DatabaseIndex index, long count)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        IndexStorage storage = index.TryHold()!;
        storage.Search.ChangeStructures(transaction => transaction
            .OpenOrCreateFixedTree("Reduce.Groups"u8, GroupRecord.SizeBytes)
            .Put(0, MemoryMarshal.AsBytes([new GroupRecord(0, count, 0)])));
        storage.Release();
    }

    private static void Damage(int loads)
    {
        if (loads == 1)
        {
            throw new StorageCorruptedException("data.voron", 0, "planted");
        }
    }

    private static IndexStorage Open(TestFiles files, Action<SearchIndex> load, out string? problem) =>
        IndexStorage.Open(
            files.Within("test"), "one", storage => storage, _ => null, _ => VectorGraphOptions.Default, default,
            Guid.Empty, _ => null, load, out problem);

    private static DatabaseIndex MakeIndex(IndexedDatabase database)
    {
        Put(database, "users/1");
        return database.MakeIndexFor("from Users where A = 1");
    }

    private static void Put(IndexedDatabase database, string id)
    {
        database.Begin();
        database.Put(id, """{"A":1,"@metadata":{"@collection":"Users"}}""");
        database.Submit();
    }

    private sealed class DeletionListener(Action deleted) : IDocumentChangeListener
    {
        public void OnChange(in DocumentChange change)
        {
        }

        public void OnCommitted(long lastEtag)
        {
        }

        public void OnDeleted() => deleted();
    }
}
