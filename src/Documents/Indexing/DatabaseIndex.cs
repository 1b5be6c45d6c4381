using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Storage.Errors;

namespace Raven.Documents.Indexing;

//   RUN-1  CoveredEtag is never above what is committed in the index: it is raised after the commit of a batch.
//   RUN-2  A batch that fails is dropped as a whole; the next run starts after the last committed one.
//   RUN-3  A query that waits for an index holds nothing: it is woken when the index covers the etag that the query
//          waits for, or when the index has stopped.
//   RUN-4  The reason why an index has stopped is kept in its record, over restarts, until it is reset. A pause is not.

/// <summary>One index of a database: its definition, its progress, and its batches. Any thread.</summary>
public sealed class DatabaseIndex : IDisposable
{
    private readonly DatabaseIndexes _owner;
    private readonly Lock _runGate = new();
    private readonly Lock _gate = new();
    private readonly FailureStreak _failureStreak = new();
    private readonly BatchIndexer? _batch;
    private IndexStorage? _storage;
    private IndexPosition _position;
    private int _isQueued;
    private long _coveredEtag;
    private volatile bool _isPaused;
    private volatile bool _isGone;
    private volatile string? _fault;

    /// <summary>Makes an index of its record.</summary>
    internal DatabaseIndex(DatabaseIndexes owner, IndexRecord record, BatchIndexer? batch, string? fault)
    {
        _owner = owner;
        Record = record;
        _batch = batch;
        _fault = fault ?? record.Fault;
        Waits = new StaleWaits(owner.Services.Clock);
        Maintenance = new IndexFileMaintenance(this, owner);
        Failures = new IndexFailures(owner.Services.Options.FailuresKept);
        Use = new IndexUse(owner.Services.Clock);
    }

    /// <summary>When the index was last queried.</summary>
    public IndexUse Use { get; }

    /// <summary>The stored record of the index.</summary>
    internal IndexRecord Record { get; private set; }

    public IndexDefinition Definition => Record.Definition;

    /// <summary>The collections that its maps run over; empty for all documents.</summary>
    public IReadOnlyList<string> Collections => _batch?.Collections ?? [];

    /// <summary>The collections that it follows: also those that its maps have read; empty for all.</summary>
    public IReadOnlyList<string> Followed => _batch?.Followed.Collections ?? [];

    /// <summary>What it follows besides changes of documents; null if it cannot be compiled.</summary>
    internal FollowedChanges? OtherChanges => _batch?.Followed;

    /// <summary>The fields that entries of the index may have; null if its maps create fields while they run.</summary>
    internal IReadOnlyCollection<string>? KnownFields { get; init; }

    public string Name => Definition.Name;

    /// <summary>The engine that keeps it; if it is not open, the one that it will have.</summary>
    public IndexEngine Engine => OpenedStorage?.Engine ?? IndexEngines.Of(Definition, _owner.Services.Options).OfNew;

    /// <summary>Whether it is paused, until it is resumed or the database is opened again.</summary>
    public bool IsPaused
    {
        get => _isPaused;
        set
        {
            _isPaused = value;
            if (!value)
            {
                EnqueueIfIdle();
            }
        }
    }

    /// <summary>Why it stopped; null if it did not.</summary>
    public string? Fault => _fault;

    /// <summary>The state of the index, as clients read it.</summary>
    public IndexState State => _fault is not null ? IndexState.Error
        : Definition.State == IndexState.Disabled ? IndexState.Disabled
        : Use.IsIdle ? IndexState.Idle : IndexState.Normal;

    /// <summary>Whether it follows the documents.</summary>
    internal bool IsRunning => _fault is null && !_isPaused && !_isGone && Definition.State != IndexState.Disabled;

    /// <summary>The index has every change of its collections up to this etag (RUN-1).</summary>
    public long CoveredEtag => Volatile.Read(ref _coveredEtag);

    /// <summary>The position of its last commit.</summary>
    internal IndexPosition Position
    {
        get
        {
            lock (_gate)
            {
                return _position;
            }
        }
    }

    /// <summary>Counts and times of the index.</summary>
    public IndexStatistics Statistics { get; private set; } = new();

    /// <summary>Changes with every commit and every reset: for the ETags of answers.</summary>
    public long Version { get; private set; } = Stopwatch.GetTimestamp();

    /// <summary>The last documents that it could not index.</summary>
    public IndexFailures Failures { get; }

    /// <summary>The memory of the document that is mapped.</summary>
    internal Arena? Memory => _batch?.Memory;

    /// <summary>Work on the files of the index outside of batches, such as compaction.</summary>
    public IndexFileMaintenance Maintenance { get; }

    /// <summary>Its files, if they are open. The caller holds them before it uses them.</summary>
    internal IndexStorage? OpenedStorage => Volatile.Read(ref _storage);

    /// <summary>Whether it was deleted from the database.</summary>
    internal bool IsGone => _isGone;

    /// <summary>Holds the search index, which is opened if it is closed. The caller holds the database.</summary>
    /// <returns>Null if the index was deleted or cannot be opened.</returns>
    internal IndexStorage? TryHold()
    {
        while (!_isGone && _batch is not null)
        {
            IndexStorage? storage = Volatile.Read(ref _storage) ?? Open();
            if (storage is null || storage.TryHold())
            {
                return storage;
            }
        }

        return null;
    }

    /// <summary>Waits until the index covers a change.</summary>
    /// <param name="etag">The etag of the change.</param>
    /// <param name="timeMax">How long to wait.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>Whether it covers the change.</returns>
    public async ValueTask<bool> WaitAsync(long etag, TimeSpan timeMax, CancellationToken cancellation)
    {
        if (CoveredEtag >= etag)
        {
            return true;
        }

        if (timeMax <= TimeSpan.Zero || !IsRunning)
        {
            return false;
        }

        EnqueueIfIdle();
        await Waits.WaitAsync(etag, timeMax, () => CoveredEtag >= etag || !IsRunning, cancellation)
            .ConfigureAwait(false);
        return CoveredEtag >= etag;
    }

    /// <summary>The queries that wait for it.</summary>
    internal StaleWaits Waits { get; }

    /// <summary>Puts the index into the queue of the indexing threads, unless it is in it.</summary>
    internal void EnqueueIfIdle()
    {
        if (IsRunning && Interlocked.Exchange(ref _isQueued, 1) == 0)
        {
            _owner.Services.Threads.Enqueue(this);
        }
    }

    /// <summary>Runs a batch; called by the indexing thread that took the index from the queue.</summary>
    internal void RunQueued()
    {
        Volatile.Write(ref _isQueued, 0);
        if (!_owner.Database.TryEnter(out Documents.DatabaseStorage? documents))
        {
            return;
        }

        bool isMore = false;
        long began = Stopwatch.GetTimestamp();
        try
        {
            lock (_runGate)
            {
                isMore = IsRunning && TryRun();
            }
        }
        finally
        {
            _owner.Backoff.Note(Stopwatch.GetTimestamp() - began, _batch?.Counts.Documents ?? 0);
            documents.Release();
        }

        if (isMore)
        {
            EnqueueIfIdle();
        }
    }

    /// <summary>Runs an action while no batch runs.</summary>
    /// <param name="action">The action.</param>
    /// <param name="waits">Whether to wait for a batch that runs; otherwise the action is skipped then.</param>
    internal void BetweenBatches(Action action, bool waits = true)
    {
        if (!_runGate.TryEnter(waits ? Timeout.InfiniteTimeSpan : TimeSpan.Zero))
        {
            return;
        }

        try
        {
            action();
        }
        finally
        {
            _runGate.Exit();
        }
    }

    /// <summary>Uses a changed record of the index: another lock mode, priority or state.</summary>
    internal void Update(IndexRecord record)
    {
        Record = record;
        EnqueueIfIdle();
        if (!IsRunning)
        {
            CompleteWaits();
        }
    }

    /// <summary>Drops the contents of the index, which is built again in the folder of a new record.</summary>
    /// <param name="record">The record.</param>
    /// <param name="keepsFailures">Whether its earlier failures are kept.</param>
    internal void Reset(IndexRecord record, bool keepsFailures = false)
    {
        _batch?.IsStopping = true;
        lock (_runGate)
        {
            _batch?.IsStopping = false;
            Retire(isDeleted: true, record);
            if (!keepsFailures)
            {
                Failures.Clear();
            }

            _fault = _batch is null ? _fault : null;
            Statistics = new IndexStatistics();
        }

        EnqueueIfIdle();
    }

    /// <summary>Closes its files, which the next use opens again. The database must have no users.</summary>
    internal void Close()
    {
        _batch?.IsStopping = true;
        lock (_runGate)
        {
            _batch?.IsStopping = false;
            Retire(isDeleted: false);
        }
    }

    /// <summary>Ends the index after it was deleted from the database.</summary>
    internal void Remove() => End(isDeleted: true);

    /// <inheritdoc/>
    public void Dispose() => End(isDeleted: false);

    /// <summary>Records among the failures that the contents were dropped.</summary>
    internal void NoteRebuilt(string problem)
    {
        IndexLog.Rebuilt(_owner.Services.Log, _owner.Database.Name, Name, problem);
        NoteFailure("Storage", $"It was rebuilt: {problem}");
    }

    private bool IsStopping => _batch is { IsStopping: true };

    private void End(bool isDeleted)
    {
        _isGone = true;
        _batch?.IsStopping = true;
        try
        {
            lock (_runGate)
            {
                Retire(isDeleted);
                _batch?.Dispose();
            }
        }
        finally
        {
            CompleteWaits();
        }
    }

    /// <summary>Closes the files when their last user ends; the next use opens those of a new record, if any.</summary>
    private void Retire(bool isDeleted, IndexRecord? next = null)
    {
        if (isDeleted)
        {
            Maintenance.HasCaughtUp = false;
            Failures.Unload();
        }
        else
        {
            Maintenance.SaveUse();
        }

        IndexStorage? storage;
        IndexRecord former = Record;
        lock (_gate)
        {
            Record = next ?? Record;
            storage = _storage;
            _storage = null;
            Volatile.Write(ref _coveredEtag, 0);
            Version++;
        }

        storage?.Retire(isDeleted);
        if (storage is null && isDeleted)
        {
            _owner.DeleteFolder(former);
        }
    }

    private IndexStorage? Open()
    {
        lock (_gate)
        {
            if (_storage is not null || _isGone)
            {
                return _storage;
            }

            try
            {
                IndexStorage storage = _owner.OpenStorage(Record, LoadStored, out string? problem);
                if (problem is not null)
                {
                    NoteRebuilt(problem);
                }

                _position = storage.Opened;
                Volatile.Write(ref _coveredEtag, _position.LastEtag);
                Volatile.Write(ref _storage, storage);
                return storage;
            }
            catch (Exception failure) when (failure is IOException or StorageInUseException
                or StoragePoisonedException)
            {
                IndexLog.Failed(_owner.Services.Log, failure, _owner.Database.Name, Name);
                _owner.RetryLater(this);
                return null;
            }
        }
    }

    private void LoadStored(SearchIndex search)
    {
        Failures.Load(search);
        _batch!.Load(search);
        Use.Load(search);
    }

    private bool TryRun()
    {
        IndexStorage? storage = null;
        try
        {
            storage = TryHold();
            if (storage is null)
            {
                return false;
            }

            bool isMore = Run(storage.Search);
            _failureStreak.Clear();
            return isMore;
        }
        catch (StorageCorruptedException damage) when (storage is not null)
        {
            if (_failureStreak.Note(storage, damage) is { } problem)
            {
                StopWith(problem);
            }
            else
            {
                Maintenance.ReportDamage(storage, damage);
            }

            return false;
        }
        catch (Exception failure)
        {
            // No failure of an index may end the process; the batch was dropped, and the next run tries again (RUN-2).
            return RunFailed(failure);
        }
        finally
        {
            storage?.Release();
        }
    }

    private bool RunFailed(Exception failure)
    {
        if (IsStopping || _isGone || failure is Documents.DatabaseDeletedException
            or Documents.NotPrimaryException or Documents.DatabaseNotServingException)
        {
            return false;
        }

        IndexLog.Failed(_owner.Services.Log, failure, _owner.Database.Name, Name);
        NoteFailure("Index", failure.Message);
        if (failure is StoragePoisonedException)
        {
            Retire(isDeleted: false);
        }

        if (_failureStreak.Note(failure) is { } problem)
        {
            StopWith(problem);
        }

        _owner.RetryLater(this);
        return false;
    }

    private bool Run(SearchIndex search)
    {
        long began = _owner.Services.Clock.GetTimestamp();
        IndexPosition position = Position;
        bool isCommitted = _batch!.Run(_owner.Database, search, Failures, ref position, out bool isMore);
        lock (_gate)
        {
            _position = position;
        }

        if (isCommitted)
        {
            Maintenance.NoteCommit();
            Version++;
            Statistics = Statistics.After(_batch, _owner.Services.Clock, began);
        }

        Volatile.Write(ref _coveredEtag, position.LastEtag);
        CompleteWaits();
        if (isCommitted)
        {
            _owner.NotifyBatchCompleted(this);
            if (_owner.Services.Options.ExceedsErrorRate(position.MapAttempts, position.MapErrors))
            {
                StopWith($"{position.MapErrors} of {position.MapAttempts} documents failed");
            }
        }

        IndexingThreads.YieldThread();
        Maintenance.Merge(search, isCommitted ? _batch : null);

        if (Maintenance.MayHaveLargeMerge(isCommitted) && search.HasLargeMerge())
        {
            _owner.Services.Merges.Enqueue(this);
        }

        if (!isMore)
        {
            _owner.CaughtUp(this);
        }

        return isMore;
    }

    private void StopWith(string problem)
    {
        _fault = problem;
        IndexLog.HasStopped(_owner.Services.Log, _owner.Database.Name, Name, problem);
        _owner.Changes.BeginStoreFault(this);
        CompleteWaits();
    }

    private void NoteFailure(string action, string message) =>
        Failures.Add(new IndexFailure(_owner.Services.Clock.GetUtcNow(), null, action, message));

    private void CompleteWaits() => Waits.CompleteUpTo(CoveredEtag, !IsRunning);
}
