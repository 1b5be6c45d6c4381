using System.Collections.Concurrent;

namespace Raven.Documents.Operations;

/// <summary>
/// The operations of a server by id. The last <see cref="EndedKept"/> ended ones are kept for requests that ask for
/// their results. Safe for all threads.
/// </summary>
public sealed class OperationRegistry
{
    /// <summary>How many ended operations are kept.</summary>
    internal const int EndedKept = 1_000;

    private readonly ConcurrentDictionary<long, RunningOperation> _byId = new();
    private readonly ConcurrentQueue<long> _ended = new();
    private readonly TimeProvider _time;
    private readonly Action<RunningOperation> _changed;
    private long _lastId;

    /// <summary>Makes a registry without operations.</summary>
    /// <param name="time">The clock of the operations.</param>
    /// <param name="changed">Called when an operation has begun, has new progress or has ended, on its thread; must
    /// not wait.</param>
    public OperationRegistry(TimeProvider time, Action<RunningOperation> changed)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _changed = changed;
    }

    /// <summary>Operations that are known, running or ended.</summary>
    internal int Count => _byId.Count;

    /// <summary>All operations that are known, running or ended.</summary>
    public IEnumerable<RunningOperation> All => _byId.Select(pair => pair.Value);

    /// <summary>A number that no operation has, and that was not given out before in this run.</summary>
    public long NextId()
    {
        long id;
        do
        {
            id = Interlocked.Increment(ref _lastId);
        }
        while (_byId.ContainsKey(id));
        return id;
    }

    /// <summary>Begins an operation with a new id.</summary>
    /// <param name="database">The database it works on.</param>
    /// <param name="starter">Who starts it; see <see cref="RunningOperation.Starter"/>.</param>
    public RunningOperation Begin(string database, object? starter = null)
    {
        RunningOperation? operation;
        do
        {
            operation = TryBegin(database, NextId(), starter);
        }
        while (operation is null);
        return operation;
    }

    /// <summary>Begins an operation with an id that its client chose, mostly one that was given out before.</summary>
    /// <returns>Null if an operation of this id has begun already.</returns>
    public RunningOperation? TryBegin(string database, long id, object? starter = null)
    {
        var operation = new RunningOperation(id, database, _time, _changed) { Starter = starter };
        if (!_byId.TryAdd(operation.Id, operation))
        {
            return null;
        }

        _changed(operation);
        return operation;
    }

    /// <summary>Keeps an operation that has ended for a while.</summary>
    public void Ended(RunningOperation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        operation.SetEnded();
        _changed(operation);
        _ended.Enqueue(operation.Id);
        while (_ended.Count > EndedKept && _ended.TryDequeue(out long oldest))
        {
            if (_byId.TryRemove(oldest, out RunningOperation? forgotten))
            {
                forgotten.Dispose();
            }
        }
    }

    /// <summary>
    /// Kills an operation that has not begun, as its client chose the id and gives up before its stream has arrived. It
    /// never begins.
    /// </summary>
    /// <returns>False if one of this id has begun.</returns>
    public bool TryForbid(string database, long id, OperationFailure failure, object? starter = null)
    {
        var operation = new RunningOperation(id, database, _time, _changed) { Starter = starter };
        operation.Kill();
        operation.Fail(failure);
        if (!_byId.TryAdd(id, operation))
        {
            operation.Dispose();
            return false;
        }

        Ended(operation);
        return true;
    }

    /// <summary>
    /// Ends the bulk inserts into a database that was deleted: their clients may send nothing for long, and get the
    /// error now. Other operations on it fail by themselves.
    /// </summary>
    public void AbandonBulkInserts(string database)
    {
        foreach (RunningOperation operation in _byId.Values)
        {
            if (operation.BulkInsert != null
                && operation.Database.Equals(database, StringComparison.OrdinalIgnoreCase))
            {
                operation.Abandon();
            }
        }
    }

    /// <summary>An operation of a database, or of any if the name is null.</summary>
    public RunningOperation? Find(string? database, long id) =>
        _byId.TryGetValue(id, out RunningOperation? operation)
            && (database == null || operation.Database.Equals(database, StringComparison.OrdinalIgnoreCase))
            ? operation
            : null;
}
