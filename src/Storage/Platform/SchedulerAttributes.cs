using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>How Linux schedules a thread: <c>struct sched_attr</c>, in its first version (sched(7)).</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct SchedulerAttributes
{
    internal const int SizeInBytes = 48;

    internal int Size;

    /// <summary>0 is that of ordinary threads.</summary>
    internal int Policy;

    internal long Flags;
    internal int Niceness;
    internal int Priority;

    /// <summary>Of an ordinary thread, from Linux 6.12 on: the length of its turns in nanoseconds.</summary>
    internal long SliceNanoseconds;

    internal long Deadline;
    internal long Period;
}
