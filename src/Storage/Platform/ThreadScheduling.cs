using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// Sets which part of the processors the calling thread gets beside others. Only downwards, which needs no privilege
/// and cannot be undone: for dedicated threads, never for those of a pool. Does nothing on systems that have no such
/// setting for threads (all but Linux).
/// </summary>
public static class ThreadScheduling
{
    /// <summary>Gives the thread a smaller share beside others of its process.</summary>
    /// <param name="niceness">How much niceness more, from 1 to 19: each one takes about 10% of the time.</param>
    /// <returns>Whether that succeeded.</returns>
    public static bool TryLower(int niceness)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(niceness);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(niceness, 19);
        return OperatingSystem.IsLinux() && (Libc.Nice(niceness) != -1 || Marshal.GetLastPInvokeError() == 0);
    }

    /// <summary>
    /// Gives the thread a smaller share, and makes it give its core at once to a thread that wakes, if the kernel can
    /// (Linux 6.12 and later): a thread that asked for long slices is preempted by those with shorter ones.
    /// </summary>
    /// <remarks>
    /// The share is small and not nothing, as SCHED_IDLE would make it: the runtime collects garbage on the thread that
    /// needs memory, and stops all others until that thread is done. Beside other busy processes, a thread that runs
    /// only on idle cores would stop the process for minutes.
    /// </remarks>
    /// <param name="niceness">How much niceness more, from 1 to 19.</param>
    /// <returns>Whether the share is smaller.</returns>
    public static bool TryGiveWay(int niceness)
    {
        if (!TryLower(niceness))
        {
            return false;
        }

        // Adding nothing gives the niceness that the thread has now.
        _ = Libc.TrySetSlice(Libc.Nice(0), Libc.SliceNanosecondsMax);
        return true;
    }
}
