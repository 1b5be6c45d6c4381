using System.Buffers.Binary;
using Raven.Documents.Rows;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Counters;

/// <summary>The counters of one document, in the order of their folded names.</summary>
public ref struct CounterCursor
{
    private readonly ReadOnlySpan<byte> _documentKey;
    private readonly RowHeap? _rows;
    private TreeCursor _cursor;
    private bool _isStarted;

    internal CounterCursor(ReadOnlySpan<byte> documentKey, Tree byKey, RowHeap rows)
    {
        _documentKey = documentKey;
        _rows = rows;
        _cursor = byKey.GetCursor();
    }

    /// <summary>Goes to the next counter; false at the end.</summary>
    public bool MoveNext(out StoredCounter counter)
    {
        counter = default;
        if (_rows is null)
        {
            return false;
        }

        Span<byte> prefix = stackalloc byte[CounterKey.SizeBytesMax];
        prefix = prefix[..CounterKey.WritePrefix(prefix, _documentKey)];
        bool isThere = _isStarted ? _cursor.MoveNext() : _cursor.Seek(prefix);
        _isStarted = true;
        if (!isThere || !_cursor.Key.StartsWith(prefix))
        {
            return false;
        }

        counter = new StoredCounter(_rows.Read(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span)));
        return true;
    }
}
