using Raven.Documents.Changes;
using Raven.Documents.Rows;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents;

//   REPL-1  A database of a group is opened, served and closed by the calls of its host alone: not by its first use,
//           and not because it was idle.
//   REPL-2  Only the primary of the group writes, and only after the transaction that opens its epoch. Opening the
//           files writes nothing: the first structures of a new database, the entry of the opening and the end of old
//           uploads are in that transaction.
//   REPL-3  What memory keeps of the pages (settings, records of indexes, analyzers and sorters) is read again after
//           another node has changed it, and in any case before this one writes. A read that must see a transaction
//           waits until it was.

/// <summary>This node's copy of a database that a group of nodes keeps. One caller at a time, if nothing else is said.
/// </summary>
public sealed class DatabaseReplica : IThreadPoolWorkItem
{
    private const string ClosedReason = "The server closes the database for a while: read again what is watched.";

    private const string MovedReason = "Another node writes the database from now on: read again what is watched.";

    private static readonly TimeSpan HoldMax = TimeSpan.FromSeconds(10);

    /// <summary>How often what follows from commits of other nodes is done at most: each time costs as much as some
    /// commits do.</summary>
    private static readonly TimeSpan TakeInEvery = TimeSpan.FromMilliseconds(10);

    private readonly Lock _gate = new();
    private readonly Database _database;
    private readonly DatabaseOptions _options;
    private readonly DatabaseLifecycle _lifecycle;
    private readonly IDatabaseIndexes? _indexes;
    private StorageEnvironment? _environment;
    private DatabaseStorage? _storage;
    private (ulong Settings, ulong Indexes) _marks;
    private volatile bool _isPrimary;
    private bool _isWanted;
    private bool _isServed;
    private int _isQueued;
    private long _takenInAt;
    private int _stepsDown;
    private bool _hasOpened;
    private long _takenIn;
    private TaskCompletionSource? _takingIn;

    internal DatabaseReplica(
        Database database, DatabaseOptions options, DatabaseLifecycle lifecycle, IDatabaseIndexes? indexes)
    {
        _database = database;
        _options = options;
        _lifecycle = lifecycle;
        _indexes = indexes;
    }

    /// <summary>Raised when this node begins to take writes, or takes none any more; it must not wait.</summary>
    public event Action? Changed;

    /// <summary>True while this node takes the writes of the group (REPL-2). Any thread.</summary>
    public bool IsPrimary => _isPrimary;

    /// <summary>True while readers are let in. Any thread.</summary>
    public bool IsServing => _database.IsOpen;

    /// <summary>The options of the storage, for work on its files while it is closed.</summary>
    public StorageOptions Options() => _options.Storage();

    /// <summary>Opens the files. Nobody is let in, and nothing is written (REPL-2).</summary>
    /// <param name="recoverUpTo">The last transaction that is recovered; null for all that is there.</param>
    /// <param name="gate">What decides on commits.</param>
    public StorageEnvironment Open(long? recoverUpTo, ICommitGate gate)
    {
        lock (_gate)
        {
            if (_environment is not null)
            {
                throw new InvalidOperationException($"The database '{_database.Name}' is open already.");
            }

            StorageEnvironment environment = StorageEnvironment.Open(
                _options.Storage() with { RecoverUpTo = recoverUpTo });
            try
            {
                environment.AttachGate(gate);
            }
            catch
            {
                environment.Dispose();
                throw;
            }

            return _environment = environment;
        }
    }

    /// <summary>Lets readers in. In an empty copy that has effect when the first structures have come.</summary>
    public void Serve()
    {
        lock (_gate)
        {
            _isWanted = true;
            TryServe();
            TakeIn();
        }
    }

    /// <summary>Lets no readers in any more; those that are in may end.</summary>
    public void StopServing()
    {
        lock (_gate)
        {
            _isWanted = false;
            EndPrimary();
            if (_isServed)
            {
                _isServed = false;
                _lifecycle.StopServing();
                _database.Hub.EndAll(ClosedReason);
                NoteTakenIn(0);
            }
        }
    }

    /// <summary>Takes no writes any more; readers stay.</summary>
    public void StepDown()
    {
        lock (_gate)
        {
            EndPrimary();
        }

        Changed?.Invoke();
    }

    /// <summary>Takes writes again, in the epoch that it has opened: a planned switch came to nothing.</summary>
    public void TakeWrites()
    {
        lock (_gate)
        {
            _isPrimary = _isServed && _hasOpened;
        }

        Changed?.Invoke();
    }

    /// <summary>Closes the files, when those that read have ended, or after a while. Blocks.</summary>
    public void Close()
    {
        StopServing();
        lock (_gate)
        {
            _hasOpened = false;
            if (_storage is { } storage)
            {
                _storage = null;
                _environment = null;

                // It stops the batches that run: no new one comes in, as nobody is let in.
                _indexes?.Close();
                TaskCompletionSource closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
                storage.Retire(() => closed.TrySetResult());
                if (!closed.Task.Wait(HoldMax))
                {
                    // Its environment ends the readers that are left.
                    storage.Dispose();
                }
            }
            else
            {
                _environment?.Dispose();
                _environment = null;
            }
        }
    }

    /// <summary>Commits the transaction that opens an epoch, and takes writes from then on (REPL-2).</summary>
    /// <param name="epoch">The epoch.</param>
    /// <param name="lineage">The history of the group.</param>
    public async ValueTask OpenEpochAsync(long epoch, ulong lineage)
    {
        StorageEnvironment environment = _environment
            ?? throw new InvalidOperationException($"The database '{_database.Name}' is not open.");

        int stepsDown = Volatile.Read(ref _stepsDown);

        // The commit blocks its thread until the others have it.
        await Task.Factory.StartNew(
            () => EpochOpening.Write(environment, _options, epoch, lineage), CancellationToken.None,
            TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
        lock (_gate)
        {
            if (!ReferenceEquals(environment, _environment) || stepsDown != _stepsDown)
            {
                return;
            }

            // Whatever was in doubt before is committed.
            _isWanted = true;
            TryServe();
            TakeIn();
            _storage!.RenewWriter(_options, _database.Changes);
            _hasOpened = true;
            _isPrimary = true;
        }

        Changed?.Invoke();
        _indexes?.Lead();
        _database.Unique.BeginAgain();
    }

    /// <summary>A commit of another node can be read: what follows from that happens on a thread of the pool, at once
    /// or after a moment if others came just before. Any thread.</summary>
    public void Published()
    {
        if (_isPrimary || Interlocked.Exchange(ref _isQueued, 1) != 0)
        {
            return;
        }

        TimeSpan left = TakeInEvery - TimeProvider.System.GetElapsedTime(Volatile.Read(ref _takenInAt));
        if (left <= TimeSpan.Zero)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
        else
        {
            _ = TakeInLaterAsync(left);
        }
    }

    /// <summary>Waits until memory has what has been published up to now (REPL-3). Any thread.</summary>
    /// <param name="cancellation">Ends the wait.</param>
    public ValueTask TakenInAsync(CancellationToken cancellation)
    {
        if (_isPrimary || _environment is not { } environment)
        {
            return ValueTask.CompletedTask;
        }

        long published = environment.Log.TransactionId;
        return Volatile.Read(ref _takenIn) >= published && _indexes is null or { Refreshed.IsCompleted: true }
            ? ValueTask.CompletedTask
            : new ValueTask(WaitTakenInAsync(environment, published, cancellation));
    }

    /// <inheritdoc/>
    void IThreadPoolWorkItem.Execute()
    {
        Volatile.Write(ref _takenInAt, TimeProvider.System.GetTimestamp());
        Volatile.Write(ref _isQueued, 0);
        try
        {
            lock (_gate)
            {
                if (!_isPrimary && _environment is not null)
                {
                    TryServe();
                    TakeIn();
                }
            }
        }
#pragma warning disable CA1031 // An exception that left this thread would end the process.
        catch (Exception e)
#pragma warning restore CA1031
        {
            _options.NotificationFailed(e);
            _database.Hub.EndAll("The server failed to tell of changes: read again what is watched.");
            NoteTakenIn(_environment?.Log.TransactionId ?? 0);
        }
    }

    private async Task WaitTakenInAsync(
        StorageEnvironment environment, long published, CancellationToken cancellation)
    {
        while (true)
        {
            TaskCompletionSource taking = Volatile.Read(ref _takingIn) ?? NewTakingIn();
            if (Volatile.Read(ref _takenIn) >= published || _isPrimary || !IsServing
                || !ReferenceEquals(environment, _environment))
            {
                break;
            }

            await taking.Task.WaitAsync(cancellation).ConfigureAwait(false);
        }

        if (_indexes is not null)
        {
            await _indexes.Refreshed.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    private TaskCompletionSource NewTakingIn()
    {
        var taking = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        return Interlocked.CompareExchange(ref _takingIn, taking, null) ?? taking;
    }

    /// <summary>Lets those go on that wait for it; those that wait for more wait again.</summary>
    private void NoteTakenIn(long transactionId)
    {
        Volatile.Write(ref _takenIn, transactionId);
        if (Interlocked.Exchange(ref _takingIn, null) is { } taking)
        {
            taking.SetResult();
        }
    }

    private async Task TakeInLaterAsync(TimeSpan after)
    {
        await Task.Delay(after, TimeProvider.System).ConfigureAwait(false);
        ((IThreadPoolWorkItem)this).Execute();
    }

    /// <summary>Begins a snapshot, which gives the hold back at its end.</summary>
    private static DocumentSnapshot BeginRead(DatabaseStorage storage)
    {
        try
        {
            return storage.BeginRead();
        }
        catch
        {
            storage.Release();
            throw;
        }
    }

    private void EndPrimary()
    {
        _stepsDown++;
        if (_isPrimary)
        {
            _isPrimary = false;
            _database.EndSubscriptions();
            _database.Hub.EndAll(MovedReason);
        }
    }

    /// <summary>Lets readers in, if they are wanted and there is something to read. Under the lock.</summary>
    private void TryServe()
    {
        if (!_isWanted || _isServed || _environment is not { } environment)
        {
            return;
        }

        if (_storage is null)
        {
            if (!DatabaseStorage.TryReadId(environment, _database.Name, out DatabaseId? id))
            {
                return;
            }

            _storage = DatabaseStorage.OfGroup(_options, environment, id, _database.Changes);
        }

        using (ReadTransaction transaction = environment.BeginRead())
        {
            _marks = default;
            _database.Changes.Start(DatabaseStorage.ReadLastEtag(transaction));
        }

        _isServed = true;
        _lifecycle.Serve(_storage);
    }

    /// <summary>Takes note of what other nodes have committed. Under the lock.</summary>
    private void TakeIn()
    {
        if (!_isServed || _storage is not { } storage || !storage.TryHold())
        {
            return;
        }

        using DocumentSnapshot snapshot = BeginRead(storage);
        (ulong Settings, ulong Indexes) marks = GroupMarks.Of(snapshot.Transaction);
        if (marks.Settings != _marks.Settings)
        {
            storage.LoadSettings();
        }

        if (marks.Indexes != _marks.Indexes)
        {
            _indexes?.Refresh();
        }

        _marks = marks;
        NoteTakenIn(snapshot.Transaction.Id);
        DocumentChanges changes = _database.Changes;
        long last = snapshot.LastEtag;
        long from = changes.LastEtag;
        if (last > from)
        {
            if (changes.HasListeners)
            {
                GroupChanges.Tell(snapshot, changes, from + 1, last);
            }

            changes.EndTurn(last);
            changes.NotifyCommitted(last);
        }

        changes.Committed?.Invoke();
    }
}
