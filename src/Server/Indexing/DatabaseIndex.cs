using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Search;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Storage;
using Raven.Storage.Errors;

namespace Raven.Server.Indexing;

//   RUN-1  CoveredEtag never says more than what is committed in the index: it moves behind the commit.
//   RUN-2  A batch that fails is gone as a whole; the next run starts where the last committed one ended.
//   RUN-3  Whoever waits for an index holds nothing: he is told when it got there, or when it will not.
//   RUN-4  Why it stands still is kept in its record, over restarts, until it is reset; a pause is not.

/// <summary>One index of a database: what it is, how far it is, and its batches. Any thread.</summary>
internal sealed class DatabaseIndex : IDisposable
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

    /// <summary>An index of which the records say so.</summary>
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

    /// <summary>When it was last asked.</summary>
    internal IndexUse Use { get; }

    /// <summary>What the database keeps of it.</summary>
    internal IndexRecord Record { get; private set; }

    /// <summary>Its definition.</summary>
    internal IndexDefinition Definition => Record.Definition;

    /// <summary>The collections that its maps run over; empty for all documents.</summary>
    internal IReadOnlyList<string> Collections => _batch?.Collections ?? [];

    /// <summary>The collections whose changes count: also those that its maps have read; empty for all.</summary>
    internal IReadOnlyList<string> Followed => _batch?.Followed.Collections ?? [];

    /// <summary>What it follows besides documents; null where it cannot be compiled.</summary>
    internal FollowedChanges? OtherChanges => _batch?.Followed;

    /// <summary>The fields that its entries may have; null where its maps make them as they go.</summary>
    internal IReadOnlyCollection<string>? KnownFields { get; init; }

    /// <summary>Its name.</summary>
    internal string Name => Definition.Name;

    /// <summary>Whether it was told to pause, until it is told to go on or the database is opened again.</summary>
    internal bool IsPaused
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

    /// <summary>Why it stands still; null where it does not.</summary>
    internal string? Fault => _fault;

    /// <summary>What it does.</summary>
    internal IndexState State => _fault is not null ? IndexState.Error
        : Definition.State == IndexState.Disabled ? IndexState.Disabled
        : Use.IsIdle ? IndexState.Idle : IndexState.Normal;

    /// <summary>Whether it follows the documents.</summary>
    internal bool IsRunning => _fault is null && !_isPaused && !_isGone && Definition.State != IndexState.Disabled;

    /// <summary>Every change of its collections up to this one is in it (RUN-1).</summary>
    internal long CoveredEtag => Volatile.Read(ref _coveredEtag);

    /// <summary>How far it is, as it was committed last.</summary>
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

    /// <summary>What it has done.</summary>
    internal IndexFacts Facts { get; private set; } = new();

    /// <summary>Changes with every commit of it, and every incarnation: for the tags of answers.</summary>
    internal long Version { get; private set; } = Stopwatch.GetTimestamp();

    /// <summary>Documents that it could not take, the last ones.</summary>
    internal IndexFailures Failures { get; }

    /// <summary>The memory of the document that is mapped.</summary>
    internal Arena? Memory => _batch?.Memory;

    /// <summary>What is done with its files beside the batches.</summary>
    internal IndexUpkeep Upkeep { get; }

    /// <summary>Its files, where they are open. To be held before they are used.</summary>
    internal IndexStorage? OpenedStorage => Volatile.Read(ref _storage);

    /// <summary>Whether it is no index of the database any more.</summary>
    internal bool IsGone => _isGone;

    /// <summary>
    /// Takes a hold of the search index, which is opened where it is not. The caller holds the database.
    /// </summary>
    /// <returns>Null where the index is gone or cannot be opened.</returns>
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
    /// <param name="timeMax">How long.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>Whether it does.</returns>
    internal async ValueTask<bool> WaitAsync(long etag, TimeSpan timeMax, CancellationToken cancellation)
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

    /// <summary>Those who wait for it.</summary>
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

    /// <summary>Does something while no batch runs.</summary>
    /// <param name="action">What.</param>
    /// <param name="waits">Whether to wait for a batch that runs; without it nothing is done then.</param>
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

    /// <summary>Throws away what it holds and starts from nothing in the folder of a new record.</summary>
    /// <param name="record">The record.</param>
    /// <param name="keepsFailures">Whether it still says what went wrong before.</param>
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

    /// <summary>Closes its files, which the next use opens again. Nobody holds its database.</summary>
    internal void Close()
    {
        _batch?.IsStopping = true;
        lock (_runGate)
        {
            _batch?.IsStopping = false;
            Retire(isDeleted: false);
        }
    }

    /// <summary>It is no index of the database any more.</summary>
    internal void Remove() => End(isDeleted: true);

    /// <inheritdoc/>
    public void Dispose() => End(isDeleted: false);

    /// <summary>Notes that what it held was thrown away.</summary>
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

    /// <summary>Puts the files aside; from then on those of the next record are opened, where there is one.</summary>
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
            // Nothing that an index meets may end the process; the batch is gone, the next run tries again (RUN-2).
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
