using Raven.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Counters;

/// <summary>
/// Walks the counters in the order of their last changes. Belongs to a snapshot and ends with it; allocates nothing.
/// Deleted counters do not occur (COUNT-3).
/// </summary>
internal ref struct CounterChangeCursor
{
    private readonly RowHeap? _rows;
    private FixedTreeCursor _cursor;
    private bool _isOn;

    internal CounterChangeCursor(Transaction transaction, long fromEtag)
    {
        if (transaction.TryOpenFixedTree(CounterTables.ByEtag) is { } byEtag)
        {
            _rows = transaction.TryOpenRowHeap(CounterTables.Rows);
            _cursor = byEtag.GetCursor();
            _isOn = _cursor.Seek(fromEtag);
        }
    }

    /// <summary>The last change of a counter; 0 if there is none.</summary>
    internal static long Last(Transaction transaction)
    {
        if (transaction.TryOpenFixedTree(CounterTables.ByEtag) is not { } byEtag)
        {
            return 0;
        }

        FixedTreeCursor cursor = byEtag.GetCursor();
        return cursor.SeekLast() ? cursor.Key : 0;
    }

    /// <summary>Goes to the next counter; false at the end.</summary>
    internal bool MoveNext(out StoredCounter counter)
    {
        if (!_isOn)
        {
            counter = default;
            return false;
        }

        counter = new StoredCounter(_rows!.Read(_cursor.Int64Value));
        _isOn = _cursor.MoveNext();
        return true;
    }
}
