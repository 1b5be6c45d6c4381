using System.Collections.Concurrent;

namespace Raven.Server.Operations;

/// <summary>
/// The operations of a server by id. Ended ones are kept for those who ask how they went, the last
/// <see cref="EndedKept"/> of them. Safe for all threads.
/// </summary>
public sealed class OperationRegistry
{
    /// <summary>How many ended operations are remembered.</summary>
    public const int EndedKept = 1_000;

    private readonly ConcurrentDictionary<long, RunningOperation> _byId = new();
    private readonly ConcurrentQueue<long> _ended = new();
    private readonly TimeProvider _time;
    private long _lastId;

    /// <summary>A registry without operations.</summary>
    public OperationRegistry(TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
    }

    /// <summary>Operations that are known, running or ended.</summary>
    public int Count => _byId.Count;

    /// <summary>A number that no operation of this run has had.</summary>
    public long NextId() => Interlocked.Increment(ref _lastId);

    /// <summary>Begins an operation, with an id that was given out before or, where that is null, a new one.</summary>
    /// <returns>Null where an operation of this id has begun already.</returns>
    public RunningOperation? TryBegin(string database, long? id)
    {
        var operation = new RunningOperation(id ?? NextId(), database, _time.GetUtcNow());
        return _byId.TryAdd(operation.Id, operation) ? operation : null;
    }

    /// <summary>The operation ended: it is remembered for a while.</summary>
    public void Ended(RunningOperation operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        operation.SetEnded();
        _ended.Enqueue(operation.Id);
        while (_ended.Count > EndedKept && _ended.TryDequeue(out long oldest))
        {
            if (_byId.TryRemove(oldest, out RunningOperation? forgotten))
            {
                forgotten.Dispose();
            }
        }
    }

    /// <summary>An operation of a database, or of any where the name is null.</summary>
    public RunningOperation? Find(string? database, long id) =>
        _byId.TryGetValue(id, out RunningOperation? operation)
            && (database == null || operation.Database.Equals(database, StringComparison.OrdinalIgnoreCase))
            ? operation
            : null;
}
