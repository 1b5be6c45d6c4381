using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// What part of the processors the calling thread has beside others. Only downwards, which needs no right and cannot be
/// taken back: for threads of one's own, never for those of a pool. Where the system knows no such thing for threads
/// (all but Linux) nothing happens.
/// </summary>
public static class ThreadShare
{
    /// <summary>
    /// The thread runs where nobody else wants to (SCHED_IDLE): whoever wakes takes its core at once. Beside threads
    /// that never sleep it has next to nothing.
    /// </summary>
    /// <returns>Whether it is so now.</returns>
    public static bool TryTakeIdleOnly()
    {
        int none = 0;
        return OperatingSystem.IsLinux() && Libc.SetScheduler(0, Libc.IdlePolicy, in none) == 0;
    }

    /// <summary>The thread has less beside others of its process.</summary>
    /// <param name="niceness">How much niceness more, from 1 to 19: each one takes about 10% of the time.</param>
    /// <returns>Whether it is so now.</returns>
    public static bool TryTakeLess(int niceness)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(niceness);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(niceness, 19);
        return OperatingSystem.IsLinux() && (Libc.Nice(niceness) != -1 || Marshal.GetLastPInvokeError() == 0);
    }
}
