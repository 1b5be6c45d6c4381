namespace Raven.Server.Diagnostics;

/// <summary>Lets a line of the log through once in an interval, and counts those between. Any thread.</summary>
internal sealed class LogThrottle(TimeProvider clock, TimeSpan interval)
{
    private readonly Lock _gate = new();
    private long _lastAt;
    private bool _hasLogged;
    private long _skipped;

    /// <summary>Whether to write now.</summary>
    /// <param name="skipped">How many were not written since the last one that was.</param>
    internal bool TryTake(out long skipped)
    {
        lock (_gate)
        {
            skipped = _skipped;
            if (_hasLogged && clock.GetElapsedTime(_lastAt) < interval)
            {
                _skipped++;
                return false;
            }

            _hasLogged = true;
            _lastAt = clock.GetTimestamp();
            _skipped = 0;
            return true;
        }
    }
}
