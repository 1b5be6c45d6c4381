using System.Collections.Immutable;

namespace Raven.Cluster.Store;

//   MIRROR-1  What it shows was the state of the store at one revision, and its revision only rises.
//   MIRROR-2  Each change is told once, in the order of revisions; what a compaction hid is told as its outcome.
//   MIRROR-3  While the store cannot be reached, it shows the last known state, and says since when it knows of no
//             later.

/// <summary>
/// The keys of a store in memory, which follow it by a watch and by reading all now and then: what a node knows when
/// etcd is away. Any thread.
/// </summary>
public sealed class StoreMirror : IAsyncDisposable
{
    private readonly IClusterStore _store;
    private readonly StoreMirrorOptions _options;
    private readonly CancellationTokenSource _ended = new();
    private readonly Lock _gate = new();
    private readonly Lock _telling = new();
    private volatile ImmutableSortedDictionary<string, StoreEntry> _entries =
        ImmutableSortedDictionary.Create<string, StoreEntry>(StringComparer.Ordinal);
    private TaskCompletionSource _moved = NewSignal();
    private Task _running = Task.CompletedTask;
    private long _revision = -1;
    private long _confirmedAt;

    /// <param name="store">The store, which is not closed with this.</param>
    /// <param name="options">How it keeps up.</param>
    public StoreMirror(IClusterStore store, StoreMirrorOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        _store = store;
        _options = options ?? new StoreMirrorOptions();
        _confirmedAt = _options.Clock.GetTimestamp();
    }

    /// <summary>Told of changes, in their order and one call at a time; it must not throw, nor wait for this mirror.
    /// </summary>
    public event Action<IReadOnlyList<StoreChangeEvent>>? Changed;

    /// <summary>The keys as they are known.</summary>
    public IReadOnlyDictionary<string, StoreEntry> Entries => _entries;

    /// <summary>The revision that it shows; -1 until it was read once.</summary>
    public long Revision => Interlocked.Read(ref _revision);

    /// <summary>How long ago the store last said that this is all there is.</summary>
    public TimeSpan Age => _options.Clock.GetElapsedTime(Interlocked.Read(ref _confirmedAt));

    /// <summary>Why the last read failed; null if it did not.</summary>
    public string? Problem { get; private set; }

    /// <summary>Begins to follow. Once.</summary>
    public void Start() => _running = Task.WhenAll(FollowAsync(), ReadAgainAsync());

    /// <summary>A key as it is known; null if it is not there.</summary>
    /// <param name="key">The key.</param>
    public StoreEntry? Find(string key) => _entries.GetValueOrDefault(key);

    /// <summary>Waits until a revision is shown, such as that of a transaction that another node has done.</summary>
    /// <param name="revision">The revision, of a change below the prefix.</param>
    /// <param name="stop">Ends the wait.</param>
    /// <returns>Whether it is.</returns>
    public async Task<bool> WaitForAsync(long revision, CancellationToken stop = default)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _ended.Token);
        while (Revision < revision)
        {
            Task moved;
            lock (_gate)
            {
                moved = _moved.Task;
            }

            if (Revision >= revision)
            {
                return true;
            }

            await moved.WaitAsync(either.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (either.IsCancellationRequested)
            {
                return Revision >= revision;
            }
        }

        return true;
    }

    /// <summary>Reads all, linearizably: afterwards it shows what was done before the call.</summary>
    /// <param name="stop">Ends the read.</param>
    /// <returns>How it ended.</returns>
    public async Task<StoreStatus> ConfirmAsync(CancellationToken stop = default)
    {
        long asked = _options.Clock.GetTimestamp();
        StoreRangeResult all = await _store.RangeAsync(_options.Prefix, stop).ConfigureAwait(false);
        if (all.Status == StoreStatus.Ok)
        {
            Take(all);
            InterlockedMax(ref _confirmedAt, asked);
        }

        Problem = all.Status == StoreStatus.Ok ? null : all.Problem ?? all.Status.ToString();
        return all.Status;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        _ended.Dispose();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static void InterlockedMax(ref long place, long value)
    {
        long before = Interlocked.Read(ref place);
        while (value > before)
        {
            long found = Interlocked.CompareExchange(ref place, value, before);
            if (found == before)
            {
                return;
            }

            before = found;
        }
    }

    private async Task FollowAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            if (await ConfirmAsync(_ended.Token).ConfigureAwait(false) != StoreStatus.Ok)
            {
                await PauseAsync(_options.RetryPause).ConfigureAwait(false);
                continue;
            }

            await foreach (StoreWatchBatch batch in _store.WatchAsync(_options.Prefix, Revision, _ended.Token)
                .ConfigureAwait(false))
            {
                if (batch.Kind == StoreWatchKind.Changes)
                {
                    Take(batch);
                }
            }
        }
    }

    private async Task ReadAgainAsync()
    {
        while (!_ended.IsCancellationRequested)
        {
            await PauseAsync(_options.ReadAgainEvery).ConfigureAwait(false);
            if (!_ended.IsCancellationRequested)
            {
                await ConfirmAsync(_ended.Token).ConfigureAwait(false);
            }
        }
    }

    private async Task PauseAsync(TimeSpan time) => await Task.Delay(time, _options.Clock, _ended.Token)
        .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    private void Take(StoreRangeResult all)
    {
        lock (_telling)
        {
            if (all.Revision <= Revision)
            {
                return;
            }

            List<StoreChangeEvent> events = [];
            var there = all.Entries.ToImmutableSortedDictionary(each => each.Key, each => each, StringComparer.Ordinal);
            foreach (StoreEntry gone in _entries.Values.Where(each => !there.ContainsKey(each.Key)))
            {
                events.Add(new StoreChangeEvent(gone.Key, null, all.Revision));
            }

            events.AddRange(all.Entries
                .Where(each => (Find(each.Key)?.ModRevision ?? 0) < each.ModRevision)
                .OrderBy(each => each.ModRevision)
                .Select(each => new StoreChangeEvent(each.Key, each, each.ModRevision)));
            Show(there, all.Revision, [.. events.OrderBy(each => each.Revision)]);
        }
    }

    private void Take(StoreWatchBatch batch)
    {
        lock (_telling)
        {
            StoreChangeEvent[] news = [.. batch.Events.Where(each => each.Revision > Revision)];
            if (batch.Revision <= Revision)
            {
                return;
            }

            ImmutableSortedDictionary<string, StoreEntry>.Builder entries = _entries.ToBuilder();
            foreach (StoreChangeEvent change in news)
            {
                if (change.Entry is null)
                {
                    entries.Remove(change.Key);
                }
                else
                {
                    entries[change.Key] = change.Entry;
                }
            }

            Show(entries.ToImmutable(), batch.Revision, news);
        }
    }

    private void Show(
        ImmutableSortedDictionary<string, StoreEntry> entries, long revision, StoreChangeEvent[] events)
    {
        TaskCompletionSource moved;
        lock (_gate)
        {
            _entries = entries;
            Interlocked.Exchange(ref _revision, revision);
            (moved, _moved) = (_moved, NewSignal());
        }

        if (events.Length > 0)
        {
            Changed?.Invoke(events);
        }

        moved.SetResult();
    }
}
