using System.Diagnostics;

namespace Raven.Tools.Bench;

/// <summary>The CPU time of the calling thread; if the platform is not Linux, wall time replaces it.</summary>
public static class ThreadCpuClock
{
    private const int ClockThreadCpuTime = 3; // CLOCK_THREAD_CPUTIME_ID of linux/time.h

    /// <summary>Nanoseconds of CPU time that this thread has used so far; only differences mean anything.</summary>
    public static long ReadNanoseconds()
    {
        if (OperatingSystem.IsLinux()
            && NativeMethods.ReadClock(ClockThreadCpuTime, out NativeMethods.TimeSpec time) == 0)
        {
            return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
        }

        return (long)(Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency));
    }
}
