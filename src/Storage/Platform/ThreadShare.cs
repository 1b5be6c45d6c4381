using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// What part of the processors the calling thread has beside others. Only downwards, which needs no right and cannot be
/// taken back: for threads of one's own, never for those of a pool. Where the system knows no such thing for threads
/// (all but Linux) nothing happens.
/// </summary>
public static class ThreadShare
{
    private const long LongestTurnNanoseconds = 100_000_000;

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

    /// <summary>
    /// The thread has less beside others of its process, and, from Linux 6.12 on, whoever of them wakes takes its core
    /// at once, where he would have waited some milliseconds for the end of its turn.
    /// </summary>
    /// <param name="niceness">How much niceness more, from 1 to 19: each one takes about 10% of the time.</param>
    /// <returns>Whether it has less now.</returns>
    public static bool TryTakeLess(int niceness)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(niceness);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(niceness, 19);
        if (!OperatingSystem.IsLinux())
        {
            return false;
        }

        int now = Libc.Nice(niceness);
        if (now == -1 && Marshal.GetLastPInvokeError() != 0)
        {
            return false;
        }

        TakeLongTurns(now);
        return true;
    }

    /// <summary>
    /// Asks for the longest turns there are: those who wake and ask for shorter ones go first then, for the same share
    /// of the time. The system may not know of it; then turns stay as they are.
    /// </summary>
    private static void TakeLongTurns(int niceness)
    {
        long call = RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => 314,
            Architecture.Arm64 => 274,
            _ => 0,
        };
        if (call != 0)
        {
            var attributes = new SchedulerAttributes
            {
                Size = SchedulerAttributes.SizeInBytes,
                Niceness = niceness,
                SliceNanoseconds = LongestTurnNanoseconds,
            };
            _ = Libc.SetSchedulerAttributes(call, 0, in attributes, 0);
        }
    }
}
