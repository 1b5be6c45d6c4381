using System.Runtime.ExceptionServices;

namespace Raven.Storage.Transactions;

/// <summary>For a writer that blocks its own thread until its parked commit has ended.</summary>
internal sealed class ParkedWait : IParkedCommit
{
    private readonly object _lock = new();
    private bool _hasEnded;
    private Exception? _failure;

    public void End(Exception? failure)
    {
        lock (_lock)
        {
            _failure = failure;
            _hasEnded = true;
            Monitor.PulseAll(_lock);
        }
    }

    /// <summary>Blocks until it has ended, and throws what it ended with.</summary>
    internal void Wait()
    {
        lock (_lock)
        {
            while (!_hasEnded)
            {
                Monitor.Wait(_lock);
            }
        }

        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
    }
}
