namespace Raven.Storage.Transactions;

// WRITER-1  A transaction object belongs to who began it until he disposes it, also when he has long committed: the
//           next writer begins while he waits for the disk, and gets another object.

/// <summary>
/// Write transaction objects that wait to be used again: one of them writes at a time, and as many more are out as have
/// committed and are not disposed. Any thread.
/// </summary>
internal sealed class WriterPool(
    StorageEnvironment environment, StorageParts parts, CommitState state, WriteLock writeLock) : IDisposable
{
    private const int IdleCountMax = 4;

    private readonly Lock _lock = new();
    private readonly Stack<WriteTransaction> _idle = new(IdleCountMax);
    private bool _isClosed;

    internal WriteTransaction Rent()
    {
        lock (_lock)
        {
            if (_idle.TryPop(out WriteTransaction? transaction))
            {
                return transaction;
            }
        }

        return new WriteTransaction(environment, parts, state, writeLock);
    }

    internal void Return(WriteTransaction transaction)
    {
        lock (_lock)
        {
            if (!_isClosed && _idle.Count < IdleCountMax)
            {
                _idle.Push(transaction);
                return;
            }
        }

        transaction.Release();
    }

    /// <summary>Lets the memory of the idle ones go; of the others when they come back.</summary>
    public void Dispose()
    {
        lock (_lock)
        {
            _isClosed = true;
            while (_idle.TryPop(out WriteTransaction? transaction))
            {
                transaction.Release();
            }
        }
    }
}
