namespace Raven.Storage.Transactions;

/// <summary>
/// The lock that the one writer has from its begin until its commit is prepared. A flush needs it for two short steps
/// (FLUSH-4): the thread that has the lock takes them before it releases it, so that no flush waits behind a queue of
/// writers. May be released by another thread than the one that took it.
/// </summary>
internal sealed class WriteLock : IDisposable
{
    private readonly SemaphoreSlim _semaphore = new(1, 1);

    /// <summary>The flusher whose steps are taken; set once, before the lock is first used.</summary>
    internal Flusher Flusher { private get; set; } = null!;

    /// <summary>Whether a writer has it. Any thread; only a hint.</summary>
    internal bool IsTaken => _semaphore.CurrentCount == 0;

    /// <summary>Takes the lock, and waits while another thread has it.</summary>
    internal void Enter() => _semaphore.Wait();

    /// <summary>Takes the steps of a flush that waits for the lock, then releases it.</summary>
    internal void Exit()
    {
        do
        {
            Flusher.RunLocked();
            _semaphore.Release();
        }
        while (Flusher.WantsLock && _semaphore.Wait(0));
    }

    /// <summary>Releases the lock of an environment that is closed, without a step of a flush.</summary>
    internal void ExitClosed() => _semaphore.Release();

    /// <summary>Takes the steps of a flush now if the lock is free; else the thread that has it takes them.</summary>
    /// <returns>Whether the lock was free.</returns>
    internal bool TryRunFlushSteps()
    {
        if (!_semaphore.Wait(0))
        {
            return false;
        }

        Exit();
        return true;
    }

    /// <summary>Lets the lock of a closed environment go: no transaction has it, and none begins.</summary>
    public void Dispose() => _semaphore.Dispose();
}
