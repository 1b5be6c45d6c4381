namespace Raven.Server.Http.Monitoring;

/// <summary>
/// The rate of a counter over the last minute, of looks at it: nothing runs while nobody asks. The first look gives the
/// rate since the beginning. Any thread.
/// </summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    private readonly TimeProvider _time;
    private readonly Lock _gate = new();
    private readonly Queue<(long Stamp, double Count)> _looks = new();
    private (long Stamp, double Count) _last;

    /// <summary>A window over a counter that begins at a time stamp.</summary>
    /// <param name="time">Gives the time stamps.</param>
    /// <param name="began">When the counter had <paramref name="count"/>.</param>
    /// <param name="count">What it had then.</param>
    internal RateWindow(TimeProvider time, long began, double count = 0)
    {
        _time = time;
        _last = (began, count);
        _looks.Enqueue(_last);
    }

    /// <summary>The rate, per second.</summary>
    /// <param name="count">The counter now.</param>
    internal double Rate(double count)
    {
        lock (_gate)
        {
            long now = _time.GetTimestamp();
            while (_looks.Count > 1 && _time.GetElapsedTime(_looks.Peek().Stamp, now) > Longest)
            {
                _looks.Dequeue();
            }

            (long stamp, double before) = _looks.Peek();
            double seconds = _time.GetElapsedTime(stamp, now).TotalSeconds;
            if (_time.GetElapsedTime(_last.Stamp, now) >= Shortest)
            {
                _last = (now, count);
                _looks.Enqueue(_last);
            }

            // What is counted anew, as after a database was closed, has made no steps back.
            return seconds <= 0 ? 0 : Math.Max(0, count - before) / seconds;
        }
    }
}
