using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>The last records of a log, in memory: those that can be shipped. Any thread.</summary>
internal sealed class KeptRecords
{
    private readonly Lock _lock = new();

    /// <summary>A ring, whose transactions follow one another.</summary>
    private (LogPosition Position, ReadOnlyMemory<byte> Bytes)[] _records = new (LogPosition, ReadOnlyMemory<byte>)[16];
    private int _first;
    private int _count;

    /// <summary>Keeps a record; those that it replaces, and what followed them, go.</summary>
    internal void Add(LogPosition position, ReadOnlyMemory<byte> bytes)
    {
        lock (_lock)
        {
            CutLocked(position.TransactionId - 1);
            if (_count == _records.Length)
            {
                Grow();
            }

            At(_count++) = (position, bytes);
        }
    }

    /// <summary>A record; null if it is not kept.</summary>
    internal ReadOnlyMemory<byte>? Find(LogPosition position)
    {
        lock (_lock)
        {
            // It is one of the last ones nearly always.
            for (int i = _count - 1; i >= 0; i--)
            {
                ref (LogPosition Position, ReadOnlyMemory<byte> Bytes) record = ref At(i);
                if (record.Position.TransactionId <= position.TransactionId)
                {
                    // Null alone would become empty memory.
                    return record.Position == position ? record.Bytes : (ReadOnlyMemory<byte>?)null;
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
            while (_count > 0 && At(0).Position.TransactionId <= transactionId)
            {
                At(0) = default;
                _first = (_first + 1) & (_records.Length - 1);
                _count--;
            }
        }
    }

    private void CutLocked(long transactionId)
    {
        while (_count > 0 && At(_count - 1).Position.TransactionId > transactionId)
        {
            At(--_count) = default;
        }
    }

    private ref (LogPosition Position, ReadOnlyMemory<byte> Bytes) At(int index) =>
        ref _records[(_first + index) & (_records.Length - 1)];

    private void Grow()
    {
        var records = new (LogPosition, ReadOnlyMemory<byte>)[_records.Length * 2];
        for (int i = 0; i < _count; i++)
        {
            records[i] = At(i);
        }

        _records = records;
        _first = 0;
    }
}
