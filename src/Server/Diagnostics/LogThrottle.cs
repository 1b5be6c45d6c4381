namespace Raven.Server.Diagnostics;

/// <summary>Lets a number of lines of a log through in an interval, and counts those beyond. Any thread.</summary>
internal sealed class LogThrottle(TimeProvider clock, TimeSpan interval, int lines = 1)
{
    private readonly Lock _gate = new();
    private long _beganAt;
    private int _left;
    private bool _hasBegun;
    private long _skipped;

    /// <summary>Whether to write a line now.</summary>
    /// <param name="skipped">How many were not written since the last one that was.</param>
    internal bool TryTake(out long skipped)
    {
        lock (_gate)
        {
            if (!_hasBegun || clock.GetElapsedTime(_beganAt) >= interval)
            {
                _hasBegun = true;
                _beganAt = clock.GetTimestamp();
                _left = lines;
            }

            skipped = _skipped;
            if (_left == 0)
            {
                _skipped++;
                return false;
            }

            _left--;
            _skipped = 0;
            return true;
        }
    }
}
