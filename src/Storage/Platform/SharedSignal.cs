using System.Runtime.CompilerServices;

namespace Raven.Storage.Platform;

/// <summary>
/// Any number of threads sleep on it until one call wakes them all. With futexes of the kernel that is one system call
/// for all sleeping threads; elsewhere a monitor.
/// </summary>
/// <remarks>
/// It does not say what happened: a waiting thread reads <see cref="Count"/>, checks its condition, then sleeps while
/// the count is the one it read. A thread that calls <see cref="Set"/> has written before what the others check.
/// </remarks>
internal sealed unsafe class SharedSignal
{
    /// <summary>The word has a cache line of its own.</summary>
    private const int Place = 64 / sizeof(int);

    /// <summary>Never moved, as the kernel knows it by its address.</summary>
    private readonly int[] _words = GC.AllocateArray<int>(2 * Place, pinned: true);

    /// <summary>How often it was set; restarts from 0 after 2^32.</summary>
    internal int Count => Volatile.Read(ref _words[Place]);

    /// <summary>Wakes all sleeping threads. They see all that was written before.</summary>
    internal void Set()
    {
        if (Libc.HasFutex)
        {
            Interlocked.Increment(ref _words[Place]);
            Libc.WakeAll(Address);
            return;
        }

        lock (_words)
        {
            // Not before earlier writes, for threads that read it without the lock.
            Interlocked.Increment(ref _words[Place]);
            Monitor.PulseAll(_words);
        }
    }

    /// <summary>Sleeps while the count is this one. May return too early.</summary>
    internal void SleepWhile(int count)
    {
        if (Libc.HasFutex)
        {
            Libc.SleepWhile(Address, count);
            return;
        }

        lock (_words)
        {
            while (_words[Place] == count)
            {
                Monitor.Wait(_words);
            }
        }
    }

    private int* Address => (int*)Unsafe.AsPointer(ref _words[Place]);
}
