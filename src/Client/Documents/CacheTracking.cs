using Raven.Client.Documents.Changes;
using Raven.Client.Exceptions;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>
/// Invalidates cached answers at every reported change: of a document, of a counter, and of an index, whose answers
/// change once it has caught up; and whenever the connection is lost. While all of these watches are confirmed, the
/// absence of a report means that nothing has changed.
/// </summary>
internal sealed class CacheTracking : IDisposable
{
    private readonly ExecutorContext _context;
    private readonly string _database;
    private readonly IDatabaseChanges _changes;
    private readonly IChangesObservable<object>[] _watches;
    private readonly IDisposable[] _subscriptions;
    private readonly Lock _lock = new();
    private long _epoch;

    internal CacheTracking(ExecutorContext context, string database, IDatabaseChanges changes)
    {
        _context = context;
        _database = database;
        _changes = changes;
        _watches = [changes.ForAllDocuments(), changes.ForAllCounters(), changes.ForAllIndexes()];
        changes.ConnectionStatusChanged += OnStatus;
        _subscriptions = [.. _watches.Select(watch => watch.Subscribe(new Invalidator(this)))];
        Begin();
    }

    public void Dispose()
    {
        _changes.ConnectionStatusChanged -= OnStatus;
        foreach (IDisposable subscription in _subscriptions)
        {
            subscription.Dispose();
        }

        Stop();
    }

    private void OnStatus(object? sender, ChangesConnectionEventArgs state)
    {
        if (state.IsConnected)
        {
            Begin();
        }
        else
        {
            Stop();
        }
    }

    private void Begin()
    {
        lock (_lock)
        {
            _ = ConfirmAsync(++_epoch);
        }
    }

    private void Stop()
    {
        lock (_lock)
        {
            _epoch++;
            _context.SetTracking(_database, false);
        }
    }

    /// <summary>
    /// Waits until all watches are confirmed. From then on the cache is used without requests, unless the connection
    /// was lost meanwhile.
    /// </summary>
    private async Task ConfirmAsync(long epoch)
    {
        bool isConfirmed = false;
        while (!isConfirmed)
        {
            try
            {
                await Task.WhenAll(_watches.Select(watch => watch.EnsureSubscribedNow())).ConfigureAwait(false);
                isConfirmed = true;
            }
            catch (RavenTimeoutException) when (epoch == Interlocked.Read(ref _epoch))
            {
                // Until then each request is sent, as it is without reports.
            }
            catch (Exception e) when (e is RavenException or ObjectDisposedException or InvalidOperationException)
            {
                return; // Refused, or the store is disposed: the cache asks the server each time.
            }
        }

        lock (_lock)
        {
            if (epoch == _epoch)
            {
                _context.SetTracking(_database, true);
            }
        }
    }

    private sealed class Invalidator(CacheTracking tracking) : IObserver<object>
    {
        public void OnCompleted() => tracking.Stop();

        public void OnError(Exception error) => tracking.Stop();

        public void OnNext(object value) => tracking._context.Invalidate();
    }
}
