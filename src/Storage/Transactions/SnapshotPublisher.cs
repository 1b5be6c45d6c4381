using Raven.Blittable.Memory;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>
/// Publishes states to readers, and frees what no reader can reach anymore: tables, their pages, and the snapshot
/// objects. Versions are added by the holder of the write lock, states are published by the holder of the journal lock
/// after their journal write; the two may be different threads. Registering and reclaiming: any thread.
/// </summary>
internal sealed class SnapshotPublisher : IDisposable
{
    private const int FirstSlotsLog2 = 6;
    private const int FirstNodes = 32;

    /// <summary>How many snapshot objects in use are skipped in the search for one to reuse.</summary>
    private const int TriesMax = 4;

    private readonly ReaderRegistry _readers;
    private readonly ScratchPool _scratch;
    private readonly StorageHooks _hooks;
    private readonly Queue<Snapshot> _older = [];
    private readonly Lock _publishing = new();
    private readonly Lock _retiredLock = new();
    private readonly List<Retired> _retired = [];
    private readonly SupersededVersions _superseded;
    private Snapshot? _current;
    private long _version;
    private long _tableSince = 1;
    private volatile bool _hasRetired;

    internal SnapshotPublisher(ReaderRegistry readers, ScratchPool scratch, StorageHooks hooks)
    {
        _hooks = hooks;
        _readers = readers;
        _scratch = scratch;
        _superseded = new SupersededVersions(readers, scratch, hooks);
        Table = new PageTable(FirstSlotsLog2, FirstNodes);
    }

    /// <summary>The table that the writer appends to.</summary>
    internal PageTable Table { get; private set; }

    /// <summary>The bytes of the table in use and of those that a reader still needs.</summary>
    internal long TableBytes
    {
        get
        {
            lock (_retiredLock)
            {
                return Table.SizeInBytes + _retired.Sum(retired => retired.Table?.SizeInBytes ?? 0);
            }
        }
    }

    /// <summary>
    /// The last version that can be reading, in scratch memory, pages that a flush has applied; 0 if none can.
    /// </summary>
    internal long LastVersionWithAppliedPages
    {
        get
        {
            lock (_retiredLock)
            {
                return _retired.FindLast(static retired => retired.Places.Count > 0)?.LastVersion ?? 0;
            }
        }
    }

    /// <summary>Snapshot objects that are not the published one.</summary>
    internal int OlderCount => _older.Count;

    internal Snapshot Current => Volatile.Read(ref _current)!;

    /// <summary>Where the published state is in the log.</summary>
    internal LogPosition Log
    {
        get
        {
            while (true)
            {
                // The object may be given another state meanwhile, which its version tells.
                Snapshot current = Current;
                long version = Volatile.Read(ref current.Version);
                LogPosition position = current.Point.LogPosition();
                Interlocked.MemoryBarrier();
                if (version != 0 && Volatile.Read(ref current.Version) == version)
                {
                    return position;
                }
            }
        }
    }

    /// <summary>Publishes a state: readers that begin from now on see it.</summary>
    internal void Publish(in CommitPoint point)
    {
        lock (_publishing)
        {
            PublishLocked(point);
        }

        ReclaimIfWaiting();
    }

    /// <summary>Publishes the current state again, after the table was exchanged.</summary>
    internal void PublishAgain()
    {
        lock (_publishing)
        {
            CommitPoint point = Current.Point;
            PublishLocked(point);
        }

        ReclaimIfWaiting();
    }

    private void PublishLocked(in CommitPoint point)
    {
        _hooks.BeforePublish?.Invoke();
        Snapshot snapshot = TakeSnapshot();
        Volatile.Write(ref snapshot.Version, 0);
        snapshot.Point = point;
        snapshot.Table = Table;
        Volatile.Write(ref snapshot.Version, ++_version);
        if (_current is { } previous)
        {
            // This comes before the exchange, since it may fail for lack of memory: a state is published whole or not
            // at all.
            _older.Enqueue(previous);
        }

        Volatile.Write(ref _current, snapshot);
    }

    /// <summary>
    /// A snapshot object that no reader holds. Those that are held move to the end, so that a reader that stays open
    /// does not block reuse of all later ones.
    /// </summary>
    private Snapshot TakeSnapshot()
    {
        for (int i = Math.Min(TriesMax, _older.Count); i > 0; i--)
        {
            Snapshot snapshot = _older.Dequeue();
            if (!_readers.Holds(snapshot.Version, snapshot.Version, null))
            {
                return snapshot;
            }

            _older.Enqueue(snapshot);
        }

        return new Snapshot();
    }

    /// <summary>Holds the published snapshot for a reader (READERS-1).</summary>
    internal Snapshot Register(ReaderSlot slot)
    {
        while (true)
        {
            Snapshot snapshot = Current;
            long version = Volatile.Read(ref snapshot.Version);
            slot.TransactionId = snapshot.Point.TransactionId;
            Interlocked.Exchange(ref slot.Version, version);
            if (Current == snapshot && Volatile.Read(ref snapshot.Version) == version && version != 0)
            {
                return snapshot;
            }
        }
    }

    /// <summary>Adds a transaction's pages to the table; no reader sees them before the state is published.</summary>
    internal void AddVersions(DirtyPages dirty, long transactionId)
    {
        _superseded.Free(Table, PublishedTransaction());
        if (!Table.HasRoomFor(dirty.Count))
        {
            _hooks.Mark(CoverageMark.TableGrew);
            Replace(long.MinValue, dirty.Count);
        }

        for (int i = 0; i < dirty.Count; i++)
        {
            ref DirtyPage page = ref dirty[i];
            NativeSlice place = page.IsDirect ? default : page.Place;
            if (!place.IsEmpty || Table.NewestTransaction(page.Page) != 0)
            {
                long older = Table.Add(page.Page, transactionId, place);
                if (older != 0)
                {
                    _superseded.Add(page.Page, older, transactionId);
                }
            }
        }
    }

    /// <summary>Forgets the versions up to a transaction, which are in the data file; the caller publishes.</summary>
    internal void DropVersions(long upTo) => Replace(upTo, 0);

    /// <summary>Frees what the remaining readers cannot reach. Cheap if there is nothing.</summary>
    internal void ReclaimIfWaiting()
    {
        if (!_hasRetired)
        {
            return;
        }

        lock (_retiredLock)
        {
            // The published version first, then the readers: one that registers after the scan holds it or a later one.
            long published = PublishedVersion();
            _hooks.BetweenReclaimReads?.Invoke();
            bool isFirst = true;
            foreach (Retired retired in _retired)
            {
                if (retired.Table is { } table && IsUnreachable(retired, table, published))
                {
                    retired.Table = null;
                    table.Dispose();
                }

                // Versions that a flush has dropped can still be reached through this table and those before it.
                isFirst &= retired.Table is null;
                if (isFirst)
                {
                    retired.Places.ForEach(_scratch.Free);
                    retired.Places.Clear();
                }
            }

            _retired.RemoveAll(static retired => retired.Table is null && retired.Places.Count == 0);
            _hasRetired = _retired.Count > 0;
        }
    }

    private bool IsUnreachable(Retired retired, PageTable table, long published) =>
        retired.LastVersion < published && !_readers.Holds(retired.FirstVersion, retired.LastVersion, table);

    /// <summary>
    /// The version that readers get at this moment. Snapshot objects are reused, so it is read twice.
    /// </summary>
    private long PublishedVersion()
    {
        while (true)
        {
            Snapshot current = Current;
            long version = Volatile.Read(ref current.Version);
            if (Current == current)
            {
                return version;
            }
        }
    }

    /// <summary>The transaction of the state that readers get at this moment, or of one before it.</summary>
    private long PublishedTransaction()
    {
        while (true)
        {
            Snapshot current = Current;
            long transaction = Volatile.Read(ref current.Point.TransactionId);
            if (Current == current)
            {
                return transaction;
            }
        }
    }

    public void Dispose()
    {
        // The last reader may be doing the same at this moment, as it ends.
        lock (_retiredLock)
        {
            foreach (Retired retired in _retired)
            {
                retired.Places.ForEach(_scratch.Free);
                retired.Table?.Dispose();
            }

            _retired.Clear();
            _hasRetired = false;
        }

        var places = new List<NativeSlice>();
        Table.CollectAll(places);
        places.ForEach(_scratch.Free);
        Table.Dispose();
    }

    /// <summary>
    /// Replaces the page table by one without the versions up to a transaction. The snapshot that is published next is
    /// the first that cannot reach the old table.
    /// </summary>
    private void Replace(long dropUpTo, int room)
    {
        var dropped = new List<NativeSlice>();
        PageTable old = Table;

        // A table doubles by what is live in it. It has as many slots as its pages need, not its versions: so readers
        // find them in the cache.
        PageTable copy = old.CopyNewerThan(dropUpTo, Math.Max(room, FirstNodes), dropped);
        lock (_publishing)
        {
            Table = copy;
            lock (_retiredLock)
            {
                _retired.Add(new Retired(_tableSince, _version, dropped) { Table = old });
                _hasRetired = true;
            }

            _tableSince = _version + 1;
        }
    }

    /// <summary>A table that is no longer in use, with the versions that were published with it.</summary>
    /// <param name="FirstVersion">The first of them; above the last if there were none.</param>
    /// <param name="LastVersion">The last of them, or the one published when it was replaced.</param>
    /// <param name="Places">The memory of versions that it had and its successor has not.</param>
    private sealed record Retired(long FirstVersion, long LastVersion, List<NativeSlice> Places)
    {
        /// <summary>Null once it is disposed.</summary>
        internal PageTable? Table { get; set; }
    }
}
