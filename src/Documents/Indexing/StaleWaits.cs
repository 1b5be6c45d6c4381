namespace Raven.Documents.Indexing;

/// <summary>The queries that wait until an index covers a change: they hold nothing, and are woken.
/// Any thread.</summary>
internal sealed class StaleWaits(TimeProvider clock)
{
    /// <summary>The longest wait, whatever the client asks for: timers do not take any span.</summary>
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

    /// <summary>Waits until a change is covered, or will not be, or the time is over.</summary>
    /// <param name="etag">The change.</param>
    /// <param name="timeMax">How long to wait.</param>
    /// <param name="isOver">Whether the change is covered, or will not be: called when the wait is on the list, so that
    /// no change is missed; and again after the wait was woken, as a covered change may be missing if the index was
    /// built anew since.</param>
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
