using System.Runtime.ExceptionServices;

namespace Raven.Storage.Transactions;

/// <summary>For a writer that blocks its own thread until its parked commit has ended.</summary>
internal sealed class ParkedWait : IParkedCommit
{
    private readonly ManualResetEventSlim _ended = new();
    private Exception? _failure;

    public void End(Exception? failure)
    {
        _failure = failure;
        _ended.Set();
    }

    /// <summary>Blocks until it has ended, and throws what it ended with.</summary>
    internal void Wait()
    {
        _ended.Wait();
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
    }
}
