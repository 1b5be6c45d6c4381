using System.Runtime.CompilerServices;

namespace Raven.Storage.Platform;

/// <summary>
/// A lock that one thread may take and another release. On Linux a futex: a wait is one system call and a wake-up
/// another, of which the runtime's semaphore needs several; elsewhere that semaphore.
/// </summary>
/// <remarks>
/// The word is 0 while it is free, 1 while it is taken, 2 while it is taken and a thread may sleep on it (the second
/// mutex of Ulrich Drepper, Futexes Are Tricky, 2011).
/// </remarks>
internal sealed unsafe class BinarySemaphore : IDisposable
{
    private const int Free = 0;
    private const int Taken = 1;
    private const int HasWaiter = 2;

    private readonly SemaphoreSlim? _semaphore = Libc.HasFutex ? null : new SemaphoreSlim(1, 1);

    /// <summary>Never moved, as the kernel knows it by its address.</summary>
    private readonly int[] _word = GC.AllocateArray<int>(1, pinned: true);

    /// <summary>True if it is free. Only a hint.</summary>
    internal bool IsFree => _semaphore?.CurrentCount > 0 || (_semaphore is null && Volatile.Read(ref _word[0]) == Free);

    /// <summary>Takes the lock; sleeps until it is free.</summary>
    internal void Enter()
    {
        if (_semaphore is not null)
        {
            _semaphore.Wait();
        }
        else if (Interlocked.CompareExchange(ref _word[0], Taken, Free) != Free)
        {
            while (Interlocked.Exchange(ref _word[0], HasWaiter) != Free)
            {
                Libc.SleepWhile(Address, HasWaiter);
            }
        }
    }

    /// <summary>Releases the lock. Any thread.</summary>
    internal void Exit()
    {
        if (_semaphore is not null)
        {
            _semaphore.Release();
        }
        else if (Interlocked.Exchange(ref _word[0], Free) == HasWaiter)
        {
            Libc.WakeOne(Address);
        }
    }

    public void Dispose() => _semaphore?.Dispose();

    private int* Address => (int*)Unsafe.AsPointer(ref _word[0]);
}
