using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>What Linux knows of how a thread is scheduled: <c>struct sched_attr</c>, first version (sched(7)).</summary>
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
