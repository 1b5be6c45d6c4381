using Raven.Storage.Options;

namespace Raven.Storage.Transactions;

/// <summary>
/// Looks after readers while a flush waits for one and nobody writes: a writer would end those that are over their
/// budget, and without one they would keep the journal from the data file for as long as they like. Any thread.
/// </summary>
internal sealed class ReaderWatch(StorageOptions options, Flusher flusher, Action checkReaders) : IDisposable
{
    // A reader is ended so much of its age late at most.
    private const int LooksPerAge = 8;

    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMinutes(10);

    private readonly Lock _lock = new();
    private ITimer? _timer;
    private bool _isWatching;
    private bool _isDisposed;

    private TimeSpan Pause => TimeSpan.FromTicks(Math.Clamp(
        options.SnapshotAgeMax.Ticks / LooksPerAge, PauseMin.Ticks, PauseMax.Ticks));

    /// <summary>Begins to look, until no flush waits any more.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for a timer: writers go on looking.</exception>
    internal void Begin()
    {
        lock (_lock)
        {
            if (_isWatching || _isDisposed)
            {
                return;
            }

            _timer ??= options.Clock.CreateTimer(
                static state => ((ReaderWatch)state!).Look(),
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
            // The next look has more, or the next writer.
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
