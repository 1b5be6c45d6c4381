using System.Runtime.CompilerServices;

namespace Raven.Storage.Platform;

/// <summary>
/// What any number of threads sleep on until one call wakes them all. Where there are futexes of the kernel that is one
/// call of the system for all who sleep, however many they are; elsewhere a monitor.
/// </summary>
/// <remarks>
/// It does not say what came about: who sleeps reads <see cref="Count"/>, then looks whether what he waits for is
/// there, then sleeps while the count is what he read. Who sets it has written before what the others look for.
/// </remarks>
internal sealed unsafe class SharedSignal
{
    /// <summary>The word has a cache line of its own.</summary>
    private const int Place = 64 / sizeof(int);

    /// <summary>Never moved, as the kernel knows it by its address.</summary>
    private readonly int[] _words = GC.AllocateArray<int>(2 * Place, pinned: true);

    /// <summary>How often it was set, from 0 again after 2^32.</summary>
    internal int Count => Volatile.Read(ref _words[Place]);

    /// <summary>Wakes all who sleep. All that was written before is seen by them.</summary>
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
            // Not before what was written earlier, for those who read it without the lock.
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
