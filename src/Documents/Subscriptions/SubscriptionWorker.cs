using System.Text;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// A worker of a subscription: takes a batch, and acknowledges it before it takes the next one. One caller at a time;
/// <see cref="EndBy"/> may be called by any thread.
/// </summary>
public sealed class SubscriptionWorker : IAsyncDisposable
{
    /// <summary>So many changes that do not match are passed before the position is stored without an
    /// acknowledgement.</summary>
    private const long PassedMax = 16_384;

    private static readonly TimeSpan FillMax = TimeSpan.FromMilliseconds(500);

    private readonly DatabaseSubscriptions _owner;
    private readonly SubscriptionState _state;
    private readonly SubscriptionFiller _filler;
    private readonly ChangeSignal _signal;
    private readonly CancellationTokenSource _ending = new();
    private SubscriptionBatch _batch = new();
    private BatchAhead? _ahead;
    private long _storedEtag;
    private bool _isOpen;
    private bool _isDisposed;
    private volatile SubscriptionException? _end;

    internal SubscriptionWorker(
        DatabaseSubscriptions owner, SubscriptionState state, SubscriptionDefinition definition,
        long generation, SubscriptionWorkerOptions options, SubscriptionFiller filler, ChangeSignal signal)
    {
        _owner = owner;
        _state = state;
        Definition = definition;
        Options = options;
        _filler = filler;
        _signal = signal;
        Generation = generation;
        ConnectedTicks = owner.Services.Clock.GetUtcNow().UtcTicks;
    }

    /// <summary>What it works on.</summary>
    public SubscriptionDefinition Definition { get; }

    /// <summary>How it takes documents.</summary>
    public SubscriptionWorkerOptions Options { get; }

    /// <summary>The name of the subscription.</summary>
    public string Name => Definition.Name;

    /// <summary>Cancelled when it has to end.</summary>
    public CancellationToken Ending => _ending.Token;

    /// <summary>Why it has to end; null if it does not.</summary>
    public SubscriptionException? End => _end;

    /// <summary>When it connected, UTC ticks.</summary>
    public long ConnectedTicks { get; }

    /// <summary>The generation of the definition that it works on.</summary>
    internal long Generation { get; }

    internal bool IsShared => Options.Strategy == SubscriptionStrategy.Concurrent;

    /// <summary>Takes the next batch, and waits until there is one.</summary>
    /// <param name="cancellation">Ends the wait.</param>
    /// <returns>Null if there are no more documents, and the worker ends then.</returns>
    /// <exception cref="SubscriptionException">It has to end.</exception>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public async ValueTask<SubscriptionBatch?> NextAsync(CancellationToken cancellation)
    {
        if (_isOpen)
        {
            throw new InvalidOperationException("The batch before was not acknowledged.");
        }

        long started = _owner.Services.Clock.GetTimestamp();
        _batch.Clear();
        while (true)
        {
            ThrowIfEnded();
            cancellation.ThrowIfCancellationRequested();
            long seen = _signal.Version;
            if (!TryTakeAhead(out FillStatus status))
            {
                status = IsShared
                    ? await FillSharedAsync(cancellation).ConfigureAwait(false)
                    : Fill(live: null);
            }

            bool isLong = _owner.Services.Clock.GetElapsedTime(started) >= FillMax;
            if (_batch.Count > 0 && (IsShared || isLong || status != FillStatus.Paused))
            {
                _isOpen = true;
                _state.CountSent(_batch);
                return _batch;
            }

            await StorePassedAsync().ConfigureAwait(false);
            if (status == FillStatus.Paused)
            {
                await Task.Yield();
            }
            else if (Options.EndsWhenEmpty)
            {
                return null;
            }
            else
            {
                await WaitAsync(seen, cancellation).ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// Fills the batch that comes after the open one, as far as a slice of time goes, to be called while the client
    /// works. Does nothing if what is sent depends on more than the documents themselves, or if it is filled already
    /// (SUB-5). Keeps a second batch in memory.
    /// </summary>
    public void FillAhead()
    {
        if (!_isOpen || IsShared || !_filler.IsOfDocumentsAlone || _batch.Dropped.Count > 0)
        {
            return;
        }

        _ahead ??= new BatchAhead();
        if (!_ahead.IsWorthIt())
        {
            return;
        }

        try
        {
            AheadVersion version = VersionNow();
            using DocumentSnapshot snapshot = _owner.Database.BeginRead("subscription");
            if (!SubscriptionTables.HasOwed(snapshot.Transaction, Definition.Id))
            {
                long cursor = _state.Cursor;
                FillStatus status = _filler.Fill(
                    snapshot, _ahead.Batch, ref cursor, Options.BatchCountMax, live: null);
                _ahead.Note(version, _state.Cursor, cursor, status);
            }
        }
#pragma warning disable CA1031 // Whatever it is: the next batch is filled again, after this one is acknowledged.
        catch (Exception)
#pragma warning restore CA1031
        {
            _ahead = null;
        }
    }

    /// <summary>Says that the batch is done with. When this returns, that is durable (SUB-3).</summary>
    /// <exception cref="SubscriptionException">The worker has to end, and the batch is sent again.</exception>
    public async ValueTask AcknowledgeAsync()
    {
        ThrowIfEnded();
        if (!_isOpen)
        {
            throw new SubscriptionException(
                SubscriptionProblem.BatchLost, "There is no batch that could be acknowledged.");
        }

        if (IsShared)
        {
            await AcknowledgeSharedAsync().ConfigureAwait(false);
        }
        else
        {
            await StepAsync(new SubscriptionStepCommand(Definition.Id, Generation)
            {
                Etag = _batch.EndEtag,
                IsAcknowledgement = true,
                ConnectedTicks = ConnectedTicks,
                Delete = _batch.Dropped,
            }).ConfigureAwait(false);
            _storedEtag = _batch.EndEtag;
        }

        _isOpen = false;
        _state.CountAcknowledged();
        _batch.Clear();
    }

    /// <summary>Gives documents of the batch back: they are sent again later. The others stay here.</summary>
    /// <param name="ids">Which of them; null for all.</param>
    /// <param name="delay">How long they are not sent.</param>
    internal async ValueTask GiveBackAsync(IReadOnlyCollection<string>? ids, TimeSpan delay)
    {
        ThrowIfEnded();
        long due = _owner.Services.Clock.GetUtcNow().UtcTicks + delay.Ticks;
        HashSet<string>? wanted = ids is null
            ? null
            : [.. ids.Select(id => Ids.DocumentId.FoldedText(Encoding.UTF8.GetBytes(id)))];
        List<(byte[], OwedDocument)> put = [];
        foreach ((string key, OwedDocument owed) in _batch.Sent)
        {
            if (owed.Batch == _batch.Number && wanted?.Contains(key) != false)
            {
                put.Add((Encoding.UTF8.GetBytes(key), owed with
                {
                    Batch = OwedDocument.Waiting,
                    NotBeforeTicks = delay > TimeSpan.Zero ? due : 0,
                }));
            }
        }

        await StepAsync(new SubscriptionStepCommand(Definition.Id, Generation) { Put = put }).ConfigureAwait(false);
        foreach ((byte[] key, _) in put)
        {
            // Another worker may have it from now on: given back once more, it would be with a third one.
            _batch.Sent.Remove(Encoding.UTF8.GetString(key));
        }

        _owner.Signals.WakeIn(_signal, delay);
    }

    /// <summary>Ends it: what it has open is sent again.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        // Without an open batch, the number is the one that it would have had: another worker may have that one.
        if (IsShared && _isOpen)
        {
            await _state.Turn.WaitAsync().ConfigureAwait(false);
            try
            {
                _state.LiveBatches.Remove(_batch.Number);
            }
            finally
            {
                _state.Turn.Release();
            }
        }

        _state.Leave(this);
        _owner.Signals.Left(_signal);
        _ending.Dispose();
    }

    /// <summary>Has it end for a reason, unless it has one already. Any thread.</summary>
    internal void EndBy(SubscriptionException end)
    {
        if (Interlocked.CompareExchange(ref _end, end, null) is null)
        {
            try
            {
                _ending.Cancel();
            }
            catch (ObjectDisposedException)
            {
                // It has ended by itself meanwhile.
            }
        }
    }

    private FillStatus Fill(IReadOnlySet<long>? live)
    {
        using DocumentSnapshot snapshot = _owner.Database.BeginRead("subscription");
        if (!SubscriptionTables.TryReadPosition(snapshot.Transaction, Definition.Id, out SubscriptionPosition position)
            || position.Generation != Generation)
        {
            EndBy(position.Generation == Generation
                ? SubscriptionException.Deleted(Name)
                : SubscriptionException.Changed(Name));
            throw _end!;
        }

        if (!_state.IsLoaded)
        {
            _state.Load(position);
        }

        _storedEtag = position.Etag;
        long cursor = _state.Cursor;
        FillStatus status = _filler.Fill(snapshot, _batch, ref cursor, Options.BatchCountMax, live);
        _state.Cursor = cursor;
        return status;
    }

    private AheadVersion VersionNow() => new(_signal.Version, _owner.Database.Changes.LastEtag);

    private bool TryTakeAhead(out FillStatus status)
    {
        status = default;
        if (_ahead is null)
        {
            return false;
        }

        long cursor = _state.Cursor;
        bool isTaken = _ahead.TryTake(VersionNow(), ref cursor, ref _batch, out status);
        _state.Cursor = cursor;
        return isTaken;
    }

    private async ValueTask<FillStatus> FillSharedAsync(CancellationToken cancellation)
    {
        await _state.Turn.WaitAsync(cancellation).ConfigureAwait(false);
        long before = _state.Cursor;
        try
        {
            ThrowIfEnded();
            _batch.Number = _state.LastBatch + 1;
            FillStatus status = Fill(_state.LiveBatches);
            if (_batch.Sent.Count + _batch.Dropped.Count > 0)
            {
                await SendAsync().ConfigureAwait(false);
            }

            return status;
        }
        catch
        {
            // What was not stored is looked at again.
            _state.Cursor = before;
            _batch.Clear();
            throw;
        }
        finally
        {
            _state.Turn.Release();
        }
    }

    /// <summary>Stores that the documents of the batch are owed, before any of them is sent (SUB-2).</summary>
    private async ValueTask SendAsync()
    {
        List<(byte[], OwedDocument)> put = [];
        foreach ((string key, OwedDocument owed) in _batch.Sent)
        {
            put.Add((Encoding.UTF8.GetBytes(key), owed));
        }

        await StepAsync(new SubscriptionStepCommand(Definition.Id, Generation)
        {
            Etag = _state.Cursor,
            LastBatch = _batch.Number,
            ConnectedTicks = ConnectedTicks,
            Put = put,
            Delete = _batch.Dropped,
        }).ConfigureAwait(false);
        _state.LastBatch = _batch.Number;
        if (_batch.Count > 0)
        {
            _state.LiveBatches.Add(_batch.Number);
        }
        else
        {
            _batch.Clear();
        }
    }

    private async ValueTask AcknowledgeSharedAsync()
    {
        await _state.Turn.WaitAsync().ConfigureAwait(false);
        try
        {
            ThrowIfEnded();
            SubscriptionStepCommand step = new(Definition.Id, Generation)
            {
                IsAcknowledgement = true,
                AcknowledgedBatch = _batch.Number,
                AcknowledgedKeys = [.. _batch.Sent.Keys.Select(Encoding.UTF8.GetBytes)],
                PassedEtag = _state.Cursor,
            };
            await StepAsync(step).ConfigureAwait(false);
            _state.LiveBatches.Remove(_batch.Number);
            if (step.OwedAgain > 0)
            {
                _signal.Set();
            }
        }
        finally
        {
            _state.Turn.Release();
        }
    }

    /// <summary>Stores that many changes were passed which do not match: they are not looked at again.</summary>
    private async ValueTask StorePassedAsync()
    {
        if (IsShared)
        {
            if (_state.Cursor - _storedEtag > PassedMax)
            {
                await _state.Turn.WaitAsync().ConfigureAwait(false);
                try
                {
                    await StepAsync(new SubscriptionStepCommand(Definition.Id, Generation) { Etag = _state.Cursor })
                        .ConfigureAwait(false);
                }
                finally
                {
                    _state.Turn.Release();
                }
            }
        }
        else if (_batch.Count == 0 && (_state.Cursor - _storedEtag > PassedMax || _batch.Dropped.Count > 0))
        {
            await StepAsync(new SubscriptionStepCommand(Definition.Id, Generation)
            {
                Etag = _state.Cursor,
                Delete = _batch.Dropped,
            }).ConfigureAwait(false);
            _batch.Dropped.Clear();
        }
    }

    private async ValueTask StepAsync(SubscriptionStepCommand step)
    {
        await _owner.Database.SubmitAsync(step).ConfigureAwait(false);
        if (step.IsDeleted || step.IsChanged)
        {
            SubscriptionException end = step.IsDeleted
                ? SubscriptionException.Deleted(Name)
                : SubscriptionException.Changed(Name);
            EndBy(end);
            throw _end ?? end;
        }
    }

    private async ValueTask WaitAsync(long seen, CancellationToken cancellation)
    {
        // Documents that have to wait wake the worker when they are due.
        if (_filler.NextDueTicks != long.MaxValue)
        {
            _owner.Signals.WakeIn(
                _signal,
                new TimeSpan(Math.Max(0, _filler.NextDueTicks - _owner.Services.Clock.GetUtcNow().UtcTicks)));
        }

        _batch.ClearForLong();
        _ahead?.ClearForLong();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellation, _ending.Token);
        try
        {
            await _signal.WaitAsync(seen).WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_end is not null)
        {
            ThrowIfEnded();
        }
    }

    private void ThrowIfEnded()
    {
        if (_end is { } end)
        {
            throw end;
        }

        if (_owner.Database.IsDeleted)
        {
            throw new DatabaseDeletedException(_owner.Database.Name);
        }
    }
}
