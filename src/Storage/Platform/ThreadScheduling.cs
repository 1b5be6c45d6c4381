using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// Sets which part of the processors the calling thread gets beside others. Only downwards, which needs no privilege
/// and cannot be undone: for dedicated threads, never for those of a pool. Does nothing on systems that have no such
/// setting for threads (all but Linux).
/// </summary>
public static class ThreadScheduling
{
    /// <summary>
    /// Makes the thread run only if no other thread wants the core (SCHED_IDLE): any thread that wakes takes its core
    /// at once. Beside threads that never sleep it gets almost no time.
    /// </summary>
    /// <returns>Whether that succeeded.</returns>
    public static bool TrySetIdleOnly()
    {
        int none = 0;
        return OperatingSystem.IsLinux() && Libc.SetScheduler(0, Libc.IdlePolicy, in none) == 0;
    }

    /// <summary>Gives the thread a smaller share beside others of its process.</summary>
    /// <param name="niceness">How much niceness more, from 1 to 19: each one takes about 10% of the time.</param>
    /// <returns>Whether that succeeded.</returns>
    public static bool TryLower(int niceness)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(niceness);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(niceness, 19);
        return OperatingSystem.IsLinux() && (Libc.Nice(niceness) != -1 || Marshal.GetLastPInvokeError() == 0);
    }
}
