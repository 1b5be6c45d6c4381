using System.Collections.Concurrent;

namespace Raven.Server.Http.Monitoring;

/// <summary>The rates that reports have asked for, by name. Any thread.</summary>
/// <param name="time">Gives the time stamps.</param>
internal sealed class Rates(TimeProvider time)
{
    /// <summary>More than this many are of databases and indexes that are gone: they begin anew.</summary>
    private const int CountMax = 100_000;

    private readonly ConcurrentDictionary<string, RateWindow> _windows = new(StringComparer.OrdinalIgnoreCase);
    private readonly long _began = time.GetTimestamp();

    /// <summary>A counter that does not begin with 0.</summary>
    internal void Begin(string name, double count) => _windows[name] = new RateWindow(time, _began, count);

    /// <summary>The rate of a counter, per second, over the last minute.</summary>
    /// <param name="name">Which one.</param>
    /// <param name="count">What it has now.</param>
    internal double Of(string name, double count)
    {
        if (_windows.Count > CountMax)
        {
            _windows.Clear();
        }

        return Math.Round(_windows.GetOrAdd(name, static (_, from) => new RateWindow(from.Time, from.Began),
            (Time: time, Began: _began)).Rate(count), 4);
    }
}
