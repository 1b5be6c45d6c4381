using System.Diagnostics;

namespace Raven.Tools.Bench;

/// <summary>
/// The ways a row's figure is taken. CPU time is that of the calling thread: a busy machine does not disturb it.
/// </summary>
public static class Measure
{
    /// <summary>CPU time of this thread that <paramref name="work"/> needs, in seconds.</summary>
    public static double CpuSeconds(Action work)
    {
        ArgumentNullException.ThrowIfNull(work);
        long start = ThreadCpuClock.ReadNanoseconds();
        work();
        return Math.Max(1, ThreadCpuClock.ReadNanoseconds() - start) / 1e9;
    }

    /// <summary>
    /// Wall time of <paramref name="work"/>, in seconds: for work that waits or that runs on several threads.
    /// </summary>
    public static double WallSeconds(Action work)
    {
        ArgumentNullException.ThrowIfNull(work);
        long start = Stopwatch.GetTimestamp();
        work();
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>
    /// MB (1,000,000 bytes) a second of thread CPU time, of work that goes through <paramref name="bytes"/> bytes.
    /// </summary>
    public static double MegabytesPerCpuSecond(long bytes, Action work) => bytes / 1e6 / CpuSeconds(work);

    /// <summary>
    /// Nanoseconds of thread CPU time an operation; <paramref name="work"/> does <paramref name="count"/> of them.
    /// </summary>
    public static double NanosecondsPerOperation(long count, Action work)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        return CpuSeconds(work) * 1e9 / count;
    }

    /// <summary>
    /// Operations a second of thread CPU time; <paramref name="work"/> does <paramref name="count"/> of them.
    /// </summary>
    public static double OperationsPerCpuSecond(long count, Action work) => count / CpuSeconds(work);

    /// <summary>
    /// Managed bytes that this thread allocates an operation; <paramref name="work"/> does <paramref name="count"/>.
    /// </summary>
    public static double AllocatedBytesPerOperation(long count, Action work)
    {
        ArgumentNullException.ThrowIfNull(work);
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        long start = GC.GetAllocatedBytesForCurrentThread();
        work();
        return (GC.GetAllocatedBytesForCurrentThread() - start) / (double)count;
    }
}
