namespace Raven.Documents.Patching;

/// <summary>A batch of long scripts in the queue of <see cref="ScriptThreads"/>.</summary>
/// <param name="work">Runs them in a tier; null if they need another one.</param>
/// <param name="queuedAt">When it was queued, by the clock of the threads.</param>
/// <param name="cancellation">The request has stopped waiting for it.</param>
internal sealed class ScriptJob(Func<ScriptTier, bool?> work, long queuedAt, CancellationToken cancellation)
{
    private readonly TaskCompletionSource<bool> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>When it was queued.</summary>
    internal long QueuedAt => queuedAt;

    /// <summary>The task that the request awaits.</summary>
    internal Task<bool> Done => _done.Task;

    /// <summary>Runs it to its end.</summary>
    /// <returns>False if it needs another tier.</returns>
    internal bool TryRun(ScriptTier tier)
    {
        if (cancellation.IsCancellationRequested)
        {
            _done.SetCanceled(cancellation);
            return true;
        }

        try
        {
            if (work(tier) is not { } result)
            {
                return false;
            }

            _done.SetResult(result);
        }
        catch (Exception failure)
        {
            // The exception is for the request, which awaits it.
            _done.SetException(failure);
        }

        return true;
    }
}
