namespace Raven.Documents.Operations;

/// <summary>
/// A long piece of work with an id whose state clients read: a bulk insert, later an import or a patch by query. Its
/// worker reports, any thread reads, and <see cref="Kill"/> asks it to stop. Safe for all threads.
/// </summary>
public sealed class RunningOperation : IDisposable
{
    // Watches are notified no more often than this: a slow stream is committed document by document.
    private static readonly TimeSpan ReportPause = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _time;
    private readonly Action<RunningOperation> _changed;
    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _killed = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private OperationFailure? _failure;
    private KeyValuePair<string, double>[] _figures = [];
    private OperationStatus _status;
    private long _processed;
    private long _total;
    private long? _reportedAt;
    private BulkInsertProgress? _bulkInsert;
    private bool _isKilled;

    /// <summary>An operation that begins now.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="database">The database it works on.</param>
    /// <param name="time">The clock.</param>
    /// <param name="changed">Called when it has new progress.</param>
    internal RunningOperation(long id, string database, TimeProvider time, Action<RunningOperation> changed)
    {
        Id = id;
        Database = database;
        _time = time;
        _changed = changed;
        StartedAt = time.GetUtcNow();
    }

    /// <summary>The id, unique in this run of the server.</summary>
    public long Id { get; }

    /// <summary>The database it works on.</summary>
    public string Database { get; }

    /// <summary>Who started it, in the terms of the server; null if nothing is known of that.</summary>
    public object? Starter { get; internal init; }

    /// <summary>When its id was given out or it began.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>Cancelled when it is killed, or when the database that it works on is deleted.</summary>
    public CancellationToken Killed => _killed.Token;

    /// <summary>Completes when the operation has ended and its worker was notified.</summary>
    public Task Ended => _ended.Task;

    /// <summary>How many items it has done, each of them durable.</summary>
    public long Processed
    {
        get => Volatile.Read(ref _processed);
        set
        {
            Volatile.Write(ref _processed, value);
            Report();
        }
    }

    /// <summary>The progress of a bulk insert; null for others. To be set before <see cref="Processed"/>.</summary>
    public BulkInsertProgress? BulkInsert
    {
        get => Volatile.Read(ref _bulkInsert);
        set => Volatile.Write(ref _bulkInsert, value);
    }

    /// <summary>What it says of its progress and result besides; null for most. To be set before
    /// <see cref="Processed"/>.</summary>
    public IOperationDetail? Detail { get; set; }

    /// <summary>How many items there are to do; 0 if that is not known.</summary>
    public long Total
    {
        get => Volatile.Read(ref _total);
        set => Volatile.Write(ref _total, value);
    }

    /// <summary>Its status, and why it failed, of one moment.</summary>
    public (OperationStatus Status, OperationFailure? Failure) State
    {
        get
        {
            lock (_lock)
            {
                return (_status, _failure);
            }
        }
    }

    /// <summary>The figures of its result beside <see cref="Processed"/>, if it succeeded.</summary>
    public IReadOnlyList<KeyValuePair<string, double>> Figures => Volatile.Read(ref _figures);

    /// <summary>Ends it as succeeded.</summary>
    public void Complete() => End(OperationStatus.Completed, null);

    /// <summary>Ends it as succeeded, with figures, by their names in the answer.</summary>
    public void Complete(params KeyValuePair<string, double>[] figures)
    {
        Volatile.Write(ref _figures, figures);
        Complete();
    }

    /// <summary>Ends it as failed, or as killed.</summary>
    public void Fail(OperationFailure failure) =>
        End(Volatile.Read(ref _isKilled) ? OperationStatus.Canceled : OperationStatus.Faulted, failure);

    /// <summary>Asks it to stop as soon as possible.</summary>
    public void Kill() => Stop(isKilled: true);

    /// <summary>Asks it to stop because the database that it works on was deleted: that is a failure.</summary>
    internal void Abandon() => Stop(isKilled: false);

    /// <inheritdoc/>
    public void Dispose() => _killed.Dispose();

    internal void SetEnded() => _ended.TrySetResult();

    private void Stop(bool isKilled)
    {
        lock (_lock)
        {
            if (_status != OperationStatus.InProgress)
            {
                return;
            }

            _isKilled |= isKilled;
        }

        // Outside of the lock: callbacks of the token may report back here.
        _killed.Cancel();
    }

    /// <summary>Reports the progress to the watches: the first items at once, then at intervals.</summary>
    private void Report()
    {
        long now = _time.GetTimestamp();
        lock (_lock)
        {
            if (_status != OperationStatus.InProgress
                || (_reportedAt is { } last && _time.GetElapsedTime(last, now) < ReportPause))
            {
                return;
            }

            _reportedAt = now;
        }

        _changed(this);
    }

    private void End(OperationStatus status, OperationFailure? failure)
    {
        lock (_lock)
        {
            if (_status == OperationStatus.InProgress)
            {
                _status = status;
                _failure = failure;
            }
        }
    }
}
