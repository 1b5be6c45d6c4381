using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.CompareExchange;

/// <summary>The compare-exchange values whose keys begin with a prefix, in the order of their folded keys.</summary>
public ref struct CompareExchangeCursor
{
    private readonly NativeSlice _prefix;
    private readonly RowHeap? _rows;
    private TreeCursor _cursor;
    private bool _isStarted;

    internal CompareExchangeCursor(NativeSlice prefix, Tree byKey, RowHeap rows)
    {
        _prefix = prefix;
        _rows = rows;
        _cursor = byKey.GetCursor();
    }

    /// <summary>Goes to the next value; false at the end.</summary>
    public bool MoveNext(out CompareExchangeValue value)
    {
        value = default;
        if (_rows is null)
        {
            return false;
        }

        bool isThere = _isStarted ? _cursor.MoveNext()
            : _prefix.IsEmpty ? _cursor.SeekFirst() : _cursor.Seek(_prefix.Span);
        _isStarted = true;
        if (!isThere || !_cursor.Key.StartsWith(_prefix.Span))
        {
            return false;
        }

        value = new CompareExchangeValue(_rows.Read(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span)));
        return true;
    }
}
