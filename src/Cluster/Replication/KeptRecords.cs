using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>The last records of a log, in memory: those that can be shipped. Any thread.</summary>
internal sealed class KeptRecords
{
    private readonly Lock _lock = new();
    private readonly LinkedList<(LogPosition Position, ReadOnlyMemory<byte> Bytes)> _records = [];

    /// <summary>Keeps a record; those that it replaces, and what followed them, go.</summary>
    internal void Add(LogPosition position, ReadOnlyMemory<byte> bytes)
    {
        lock (_lock)
        {
            CutLocked(position.TransactionId - 1);
            _records.AddLast((position, bytes));
        }
    }

    /// <summary>A record; null if it is not kept.</summary>
    internal ReadOnlyMemory<byte>? Find(LogPosition position)
    {
        lock (_lock)
        {
            // It is one of the last ones nearly always.
            for (var node = _records.Last; node is not null; node = node.Previous)
            {
                if (node.Value.Position.TransactionId <= position.TransactionId)
                {
                    // Null alone would become empty memory.
                    return node.Value.Position == position ? node.Value.Bytes : (ReadOnlyMemory<byte>?)null;
                }
            }

            return null;
        }
    }

    /// <summary>Drops those behind a transaction.</summary>
    internal void CutAfter(long transactionId)
    {
        lock (_lock)
        {
            CutLocked(transactionId);
        }
    }

    /// <summary>Drops those up to a transaction.</summary>
    internal void Forget(long transactionId)
    {
        lock (_lock)
        {
            while (_records.First is { } first && first.Value.Position.TransactionId <= transactionId)
            {
                _records.RemoveFirst();
            }
        }
    }

    private void CutLocked(long transactionId)
    {
        while (_records.Last is { } last && last.Value.Position.TransactionId > transactionId)
        {
            _records.RemoveLast();
        }
    }
}
