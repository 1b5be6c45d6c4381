using Raven.Storage.Options;

namespace Raven.Storage.Transactions;

/// <summary>
/// Checks readers while a flush waits for one and no writer is active: a writer would end those over their budget;
/// without one they could keep the journal from being applied forever. Any thread.
/// </summary>
internal sealed class ReaderMonitor(StorageOptions options, Flusher flusher, Action checkReaders) : IDisposable
{
    // A reader is ended late by at most this fraction of its allowed age.
    private const int LooksPerAge = 8;

    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private ITimer? _timer;
    private bool _isWatching;
    private bool _isDisposed;

    private TimeSpan Pause => TimeSpan.FromTicks(Math.Clamp(
        options.SnapshotAgeMax.Ticks / LooksPerAge, PauseMin.Ticks, PauseMax.Ticks));

    /// <summary>Begins to check, until no flush waits anymore.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for a timer: only writers check then.</exception>
    internal void Begin()
    {
        lock (_lock)
        {
            if (_isWatching || _isDisposed)
            {
                return;
            }

            _timer ??= options.Clock.CreateTimer(
                static state => ((ReaderMonitor)state!).Look(),
                this,
                Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan);
            _timer.Change(Pause, Timeout.InfiniteTimeSpan);
            _isWatching = true;
        }
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
        try
        {
            if (GoesOn())
            {
                checkReaders();
            }
        }
        catch (OutOfMemoryException)
        {
            // The next check has more memory, or the next writer does it.
        }
    }

    private bool GoesOn()
    {
        lock (_lock)
        {
            _isWatching = _isWatching && !_isDisposed && flusher.IsWaiting;
            if (_isWatching)
            {
                _timer!.Change(Pause, Timeout.InfiniteTimeSpan);
            }

            return _isWatching;
        }
    }
}
