using Raven.Storage.Options;

namespace Raven.Storage.Transactions;

/// <summary>
/// Puts a flush off while writers keep committing, up to a limit of journal, and begins it when they pause: a page that
/// changes often is written once for all of its changes. Any thread.
/// </summary>
internal sealed class FlushDeferral(StorageParts parts, CommitState state, WriteLock writeLock, Flusher flusher)
    : IDisposable
{
    // Longer than a commit takes on a slow disk, so that a writer that waits for it does not count as a pause; short,
    // so that an environment without writers is soon flushed.
    internal static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private readonly Lock _lock = new();
    private ITimer? _timer;
    private long _bytesSeen;
    private bool _isWatching;
    private bool _isDisposed;

    private StorageOptions Options => parts.Options;

    /// <summary>Whether a transaction is open, or one that ended is not in the journal yet. Any thread.</summary>
    private bool HasWriter => writeLock.IsTaken || parts.LastTransactionId < state.Last.TransactionId;

    /// <summary>True if a flush that is due waits for a pause, or for the limit. Under the write lock.</summary>
    internal bool PutsOff()
    {
        if (state.BytesSinceBoundary >= Options.FlushDeferredBytesMax)
        {
            return false;
        }

        lock (_lock)
        {
            if (!_isWatching && !_isDisposed)
            {
                _bytesSeen = state.BytesCommitted;
                _timer ??= Options.Clock.CreateTimer(
                    static state => ((FlushDeferral)state!).Look(),
                    this,
                    Timeout.InfiniteTimeSpan,
                    Timeout.InfiniteTimeSpan);
                _timer.Change(Pause, Timeout.InfiniteTimeSpan);
                _isWatching = true;
            }
        }

        return true;
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
            _timer?.Dispose();
        }
    }

    private void Look()
    {
        lock (_lock)
        {
            if (!_isWatching || _isDisposed)
            {
                return;
            }

            if (parts.Faults.IsTripped)
            {
                // No flush runs any more: the next open recovers what is in the journal.
                _isWatching = false;
                return;
            }

            // If no flush is due any more, one was begun at the limit, or for memory. If one is due, it waits on while
            // a flush is under way or writers do not pause: bytes were committed since the last check, or a writer has
            // much to write or waits for a slow disk.
            long bytes = state.BytesCommitted;
            bool isDue = state.IsFlushDue;
            if (isDue && (bytes != _bytesSeen || HasWriter || !flusher.IsIdle))
            {
                _bytesSeen = bytes;
                _timer!.Change(Pause, Timeout.InfiniteTimeSpan);
                return;
            }

            _isWatching = false;
            if (!isDue)
            {
                return;
            }
        }

        flusher.Request();
    }
}
