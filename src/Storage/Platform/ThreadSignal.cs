using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>
/// What one thread sleeps on until another one sets it, once for each <see cref="Reset"/>. On Linux a futex: a sleep is
/// one call of the system and a waking another, where a monitor takes several of each; elsewhere a monitor.
/// </summary>
/// <remarks>
/// The word is 0 at first, 2 while a thread sleeps, 1 when it is set. A waking that comes late, when the signal is
/// in use again, only makes the next one look.
/// </remarks>
internal sealed unsafe class ThreadSignal
{
    private const int Unset = 0;
    private const int IsSet = 1;
    private const int HasSleeper = 2;

    /// <summary>True where the kernel's futexes are at hand.</summary>
    internal static readonly bool HasFutex =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>Never moved, as the kernel knows it by its address.</summary>
    private readonly int[] _word = GC.AllocateArray<int>(1, pinned: true);

    /// <summary>Makes it ready; nobody may sleep on it.</summary>
    internal void Reset() => Volatile.Write(ref _word[0], Unset);

    /// <summary>Wakes the thread that sleeps, or will not let it sleep. All that was written before is seen by it.
    /// </summary>
    internal void Set()
    {
        if (!HasFutex)
        {
            lock (_word)
            {
                _word[0] = IsSet;
                Monitor.Pulse(_word);
            }
        }
        else if (Interlocked.Exchange(ref _word[0], IsSet) == HasSleeper)
        {
            Libc.WakeOne(Address);
        }
    }

    /// <summary>Sleeps until it is set.</summary>
    internal void Wait()
    {
        if (!HasFutex)
        {
            lock (_word)
            {
                while (_word[0] != IsSet)
                {
                    Monitor.Wait(_word);
                }
            }

            return;
        }

        while (Volatile.Read(ref _word[0]) != IsSet
            && Interlocked.CompareExchange(ref _word[0], HasSleeper, Unset) != IsSet)
        {
            Libc.SleepWhile(Address, HasSleeper);
        }
    }

    private int* Address => (int*)Unsafe.AsPointer(ref _word[0]);
}
