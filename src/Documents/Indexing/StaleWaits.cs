namespace Raven.Documents.Indexing;

/// <summary>The queries that wait until an index covers a change. They hold nothing while they wait, and do not poll.
/// Any thread.</summary>
internal sealed class StaleWaits(TimeProvider clock)
{
    /// <summary>The longest wait, whatever the client requests: timers have a longest span.</summary>
    private static readonly TimeSpan WaitMax = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private readonly List<StaleWait> _waits = [];

    /// <summary>How many wait.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
            {
                return _waits.Count;
            }
        }
    }

    /// <summary>Waits until the index covers a change, or has stopped, or the time is over.</summary>
    /// <param name="etag">The etag of the change.</param>
    /// <param name="timeMax">How long to wait.</param>
    /// <param name="isOver">Whether the index covers the change, or has stopped. Called after the wait was added to the
    /// list, so that no batch is missed in between; and again after it was woken, since the index may have been rebuilt
    /// and not cover the change any more.</param>
    /// <param name="cancellation">Ends the wait.</param>
    internal async ValueTask WaitAsync(
        long etag, TimeSpan timeMax, Func<bool> isOver, CancellationToken cancellation)
    {
        long began = clock.GetTimestamp();
        timeMax = timeMax < WaitMax ? timeMax : WaitMax;
        for (TimeSpan left = timeMax; left > TimeSpan.Zero; left = timeMax - clock.GetElapsedTime(began))
        {
            var wait = new StaleWait(etag);
            lock (_gate)
            {
                _waits.Add(wait);
            }

            try
            {
                if (isOver())
                {
                    return;
                }

                await wait.Done.WaitAsync(left, clock, cancellation).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // The caller checks how far the index got.
                return;
            }
            finally
            {
                lock (_gate)
                {
                    _waits.Remove(wait);
                }
            }
        }
    }

    /// <summary>Wakes the waits for changes that are covered now, or all of them if the index has stopped.</summary>
    internal void CompleteUpTo(long coveredEtag, bool isStandingStill)
    {
        lock (_gate)
        {
            foreach (StaleWait wait in _waits)
            {
                if (isStandingStill || wait.Etag <= coveredEtag)
                {
                    wait.Complete();
                }
            }
        }
    }
}
