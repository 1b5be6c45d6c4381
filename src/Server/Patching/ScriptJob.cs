namespace Raven.Server.Patching;

/// <summary>A batch whose scripts take long, on its way through <see cref="ScriptThreads"/>.</summary>
/// <param name="work">Runs them at a pace; null where they need another one.</param>
/// <param name="queuedAt">When it came, by the clock of the threads.</param>
/// <param name="cancellation">Nobody waits for it any more.</param>
internal sealed class ScriptJob(Func<ScriptPace, bool?> work, long queuedAt, CancellationToken cancellation)
{
    private readonly TaskCompletionSource<bool> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>When it came.</summary>
    internal long QueuedAt => queuedAt;

    /// <summary>What the request waits for.</summary>
    internal Task<bool> Done => _done.Task;

    /// <summary>Runs it to its end.</summary>
    /// <returns>False where it needs another pace.</returns>
    internal bool TryRun(ScriptPace pace)
    {
        if (cancellation.IsCancellationRequested)
        {
            _done.SetCanceled(cancellation);
            return true;
        }

        try
        {
            if (work(pace) is not { } result)
            {
                return false;
            }

            _done.SetResult(result);
        }
        catch (Exception failure)
        {
            // It is the request's, which waits for it.
            _done.SetException(failure);
        }

        return true;
    }
}
