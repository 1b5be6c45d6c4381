namespace Raven.Server.Indexing;

/// <summary>Those who wait until an index covers a change: they hold nothing, and are told. Any thread.</summary>
internal sealed class StaleWaits(TimeProvider clock)
{
    /// <summary>Nobody waits for longer, whatever he says: timers do not take any span.</summary>
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
    /// <param name="timeMax">How long.</param>
    /// <param name="isOver">Whether it is covered, or will not be: asked when the wait is on the list, so that nothing
    /// is missed; and again when it was told, for what was covered is not where the index was made anew since.</param>
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
                // The caller looks how far it got.
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

    /// <summary>Tells those who wait for what is covered now, or all where the index stands still.</summary>
    internal void Tell(long coveredEtag, bool isStandingStill)
    {
        lock (_gate)
        {
            foreach (StaleWait wait in _waits)
            {
                if (isStandingStill || wait.Etag <= coveredEtag)
                {
                    wait.Tell();
                }
            }
        }
    }
}
