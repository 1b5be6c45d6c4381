using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Identity;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>What a store has for one database: executor, ids, changes.</summary>
internal sealed class DatabaseClient(RequestExecutor executor) : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private DatabaseChanges? _changes;
    private IDisposable? _tracking;

    internal RequestExecutor Executor => executor;

    internal HiLoIdGenerator Ids { get; } = new(executor);

    internal IDatabaseChanges Changes
    {
        get
        {
            lock (_lock)
            {
                return _changes ??= new DatabaseChanges(executor);
            }
        }
    }

    /// <summary>Lets every change of a document, and every loss of the connection, outdate the cache.</summary>
    internal void TrackChanges(ExecutorContext context)
    {
        IDatabaseChanges changes = Changes;
        lock (_lock)
        {
            if (_tracking is null)
            {
                IChangesObservable<DocumentChange> all = changes.ForAllDocuments();
                changes.ConnectionStatusChanged += (_, state) => _ = SetTrackingAsync(context, all, state.IsConnected);
                _tracking = all.Subscribe(new Invalidator(context));
                _ = SetTrackingAsync(context, all, isConnected: true);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        _tracking?.Dispose();
        if (_changes != null)
        {
            await _changes.DisposeAsync().ConfigureAwait(false);
        }

        await Ids.ReturnAsync().ConfigureAwait(false);
    }

    /// <summary>Once the watch is confirmed, silence means that nothing changed; without a connection it means nothing.
    /// </summary>
    private async Task SetTrackingAsync(
        ExecutorContext context, IChangesObservable<DocumentChange> all, bool isConnected)
    {
        if (!isConnected)
        {
            context.SetTracking(executor.Database!, false);
            return;
        }

        await all.EnsureSubscribedNow().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        context.SetTracking(executor.Database!, true);
    }

    private sealed class Invalidator(ExecutorContext context) : IObserver<DocumentChange>
    {
        public void OnCompleted() => context.Invalidate();

        public void OnError(Exception error) => context.Invalidate();

        public void OnNext(DocumentChange value) => context.Invalidate();
    }
}
