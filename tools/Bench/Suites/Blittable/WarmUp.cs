using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// Runs work until the JIT has compiled it for good: that happens behind a timer and on another thread, so that it
/// takes time, not calls, and on a busy machine more of it.
/// </summary>
internal static class WarmUp
{
    private const int TimeMilliseconds = 600;

    internal static void Run(Action work) => Run(work, TimeMilliseconds);

    internal static void Run(Action work, int timeMilliseconds)
    {
        long start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < timeMilliseconds)
        {
            work();
        }
    }
}
