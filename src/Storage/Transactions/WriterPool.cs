namespace Raven.Storage.Transactions;

// WRITER-1  A transaction object belongs to the code that began it until that disposes it, even long after its commit:
//           the next writer begins while the first waits for the disk, and gets another object.

/// <summary>
/// Write transaction objects that wait for reuse: one at a time writes; others are out that have committed and are not
/// disposed. Any thread.
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

    /// <summary>Frees the memory of the idle ones; of the others when they are returned.</summary>
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
