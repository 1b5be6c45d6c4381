using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Storage.Errors;

namespace Raven.Documents.Indexing;

//   RUN-1  CoveredEtag never says more than what is committed in the index: it moves behind the commit.
//   RUN-2  A batch that fails is dropped as a whole; the next run starts after the last committed one.
//   RUN-3  A query that waits for an index holds nothing: it is woken when the index has got there, or when it
//          will not.
//   RUN-4  The reason why it stopped is kept in its record, over restarts, until it is reset; a pause is not.

/// <summary>One index of a database: its definition, its progress, and its batches. Any thread.</summary>
public sealed class DatabaseIndex : IDisposable
{
    private readonly DatabaseIndexes _room;
    private readonly Lock _runGate = new();
    private readonly Lock _gate = new();
    private readonly FailureRow _failureRow = new();
    private readonly IndexingBatch? _batch;
    private IndexStorage? _storage;
    private IndexPosition _position;
    private int _isQueued;
    private long _coveredEtag;
    private volatile bool _isPaused;
    private volatile bool _isGone;
    private volatile string? _fault;

    /// <summary>Makes an index of its record.</summary>
    internal DatabaseIndex(DatabaseIndexes room, IndexRecord record, IndexingBatch? batch, string? fault)
    {
        _room = room;
        Record = record;
        _batch = batch;
        _fault = fault ?? record.Fault;
        Waits = new StaleWaits(room.Services.Clock);
        Upkeep = new IndexUpkeep(this, room);
        Failures = new IndexFailures(room.Services.Options.FailuresKept);
        Use = new IndexUse(room.Services.Clock);
    }

    /// <summary>When it was last queried.</summary>
    public IndexUse Use { get; }

    /// <summary>The stored record of the index.</summary>
    internal IndexRecord Record { get; private set; }

    public IndexDefinition Definition => Record.Definition;

    /// <summary>The collections that its maps run over; empty for all documents.</summary>
    public IReadOnlyList<string> Collections => _batch?.Collections ?? [];

    /// <summary>The collections that it follows: also those that its maps have read; empty for all.</summary>
    public IReadOnlyList<string> Followed => _batch?.Followed.Collections ?? [];

    /// <summary>The changes that it follows besides documents; null if it cannot be compiled.</summary>
    internal FollowedChanges? OtherChanges => _batch?.Followed;

    /// <summary>The fields that its entries may have; null if its maps create fields while they run.</summary>
    internal IReadOnlyCollection<string>? KnownFields { get; init; }

    public string Name => Definition.Name;

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

    /// <summary>Its state, as clients read it.</summary>
    public IndexState State => _fault is not null ? IndexState.Error
        : Definition.State == IndexState.Disabled ? IndexState.Disabled
        : Use.IsIdle ? IndexState.Idle : IndexState.Normal;

    /// <summary>Whether it follows the documents.</summary>
    internal bool IsRunning => _fault is null && !_isPaused && !_isGone && Definition.State != IndexState.Disabled;

    /// <summary>Every change of its collections up to this one is in it (RUN-1).</summary>
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

    /// <summary>Its counts and times.</summary>
    public IndexFacts Facts { get; private set; } = new();

    /// <summary>Changes with every commit and every reset: for the ETags of answers.</summary>
    public long Version { get; private set; } = Stopwatch.GetTimestamp();

    /// <summary>The last documents that it could not index.</summary>
    public IndexFailures Failures { get; }

    /// <summary>The memory of the document that is mapped.</summary>
    internal Arena? Memory => _batch?.Memory;

    /// <summary>Work on its files beside the batches.</summary>
    public IndexUpkeep Upkeep { get; }

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

    /// <summary>Waits until it covers a change.</summary>
    /// <param name="etag">The change.</param>
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

    /// <summary>Puts it into the queue of the threads, unless it is there.</summary>
    internal void EnqueueIfIdle()
    {
        if (IsRunning && Interlocked.Exchange(ref _isQueued, 1) == 0)
        {
            _room.Services.Threads.Enqueue(this);
        }
    }

    /// <summary>Runs a batch; called by the threads, which took it from the queue.</summary>
    internal void RunQueued()
    {
        Volatile.Write(ref _isQueued, 0);
        if (!_room.Database.TryEnter(out Documents.DatabaseStorage? documents))
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
            _room.Pace.Note(Stopwatch.GetTimestamp() - began, _batch?.Counts.Documents ?? 0);
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

    /// <summary>Takes a changed record: another lock mode, priority or state.</summary>
    internal void Update(IndexRecord record)
    {
        Record = record;
        EnqueueIfIdle();
        if (!IsRunning)
        {
            TellWaits();
        }
    }

    /// <summary>Drops its contents and starts anew in the folder of a new record.</summary>
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
            Facts = new IndexFacts();
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

    /// <summary>Ends it after it was deleted from the database.</summary>
    internal void Remove() => End(isDeleted: true);

    /// <inheritdoc/>
    public void Dispose() => End(isDeleted: false);

    /// <summary>Notes that its contents were dropped.</summary>
    internal void NoteMadeAnew(string problem)
    {
        IndexLog.MadeAnew(_room.Services.Log, _room.Database.Name, Name, problem);
        NoteFailure("Storage", $"It was made anew: {problem}");
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
            TellWaits();
        }
    }

    /// <summary>Retires the files; the next use opens those of the next record, if there is one.</summary>
    private void Retire(bool isDeleted, IndexRecord? next = null)
    {
        if (isDeleted)
        {
            Upkeep.HasCaughtUp = false;
            Failures.Unload();
        }
        else
        {
            Upkeep.KeepUse();
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
            _room.DeleteFolder(former);
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
                IndexStorage storage = _room.OpenStorage(Record, LoadKept, out string? problem);
                if (problem is not null)
                {
                    NoteMadeAnew(problem);
                }

                _position = storage.Opened;
                Volatile.Write(ref _coveredEtag, _position.LastEtag);
                Volatile.Write(ref _storage, storage);
                return storage;
            }
            catch (Exception failure) when (failure is IOException or StorageInUseException
                or StoragePoisonedException)
            {
                IndexLog.Failed(_room.Services.Log, failure, _room.Database.Name, Name);
                _room.RetryLater();
                return null;
            }
        }
    }

    private void LoadKept(SearchIndex search)
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
            _failureRow.Clear();
            return isMore;
        }
        catch (StorageCorruptedException damage) when (storage is not null)
        {
            if (_failureRow.Note(storage, damage) is { } problem)
            {
                StandStill(problem);
            }
            else
            {
                Upkeep.ReportDamage(storage, damage);
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
        if (IsStopping || _isGone || failure is Documents.DatabaseDeletedException)
        {
            return false;
        }

        IndexLog.Failed(_room.Services.Log, failure, _room.Database.Name, Name);
        NoteFailure("Index", failure.Message);
        if (failure is StoragePoisonedException)
        {
            Retire(isDeleted: false);
        }

        if (_failureRow.Note(failure) is { } problem)
        {
            StandStill(problem);
        }

        _room.RetryLater();
        return false;
    }

    private bool Run(SearchIndex search)
    {
        long began = _room.Services.Clock.GetTimestamp();
        IndexPosition position = Position;
        bool isCommitted = _batch!.Run(_room.Database, search, Failures, ref position, out bool isMore);
        lock (_gate)
        {
            _position = position;
        }

        if (isCommitted)
        {
            Upkeep.NoteCommit();
            Version++;
            Facts = Facts.After(_batch, _room.Services.Clock, began);
        }

        Volatile.Write(ref _coveredEtag, position.LastEtag);
        TellWaits();
        if (isCommitted)
        {
            _room.TellBatch(this);
            if (_room.Services.Options.IsHopeless(position.MapAttempts, position.MapErrors))
            {
                StandStill($"{position.MapErrors} of {position.MapAttempts} documents failed");
            }
        }

        IndexingThreads.GiveWay();
        while (isCommitted && !IsStopping && search.Merge())
        {
            IndexingThreads.GiveWay();
        }

        if (isCommitted && search.HasLargeMerge())
        {
            _room.Services.Merges.Enqueue(this);
        }

        if (!isMore)
        {
            _room.CaughtUp(this);
        }

        return isMore;
    }

    private void StandStill(string problem)
    {
        _fault = problem;
        IndexLog.StandsStill(_room.Services.Log, _room.Database.Name, Name, problem);
        _room.Changes.BeginKeepFault(this);
        TellWaits();
    }

    private void NoteFailure(string action, string message) =>
        Failures.Add(new IndexFailure(_room.Services.Clock.GetUtcNow(), null, action, message));

    private void TellWaits() => Waits.Tell(CoveredEtag, !IsRunning);
}
