using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Identity;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>The parts of a store for one database: executor, generator of ids, changes.</summary>
internal sealed class DatabaseClient(RequestExecutor executor) : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private DatabaseChanges? _changes;
    private CacheTracking? _tracking;
    private bool _isDisposed;

    internal RequestExecutor Executor => executor;

    internal HiLoIdGenerator Ids { get; } = new(executor);

    internal IDatabaseChanges Changes
    {
        get
        {
            lock (_lock)
            {
                ObjectDisposedException.ThrowIf(_isDisposed, typeof(DocumentStore));
                return _changes ??= new DatabaseChanges(executor);
            }
        }
    }

    /// <summary>
    /// Invalidates cached answers at every change that the server reports, and whenever the connection is lost.
    /// </summary>
    internal void TrackChanges()
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(DocumentStore));
            _changes ??= new DatabaseChanges(executor);
            _tracking ??= new CacheTracking(executor.Context, executor.Database!, _changes);
        }
    }

    public async ValueTask DisposeAsync()
    {
        DatabaseChanges? changes;
        CacheTracking? tracking;
        lock (_lock)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            changes = _changes;
            tracking = _tracking;
        }

        try
        {
            tracking?.Dispose();
            if (changes != null)
            {
                await changes.DisposeAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            await Ids.ReturnAsync().ConfigureAwait(false);
        }
    }
}
