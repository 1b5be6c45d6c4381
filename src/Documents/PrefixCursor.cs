using System.Buffers.Binary;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>
/// Walks documents by their keys, within a prefix. Belongs to a snapshot and ends with it; allocates nothing.
/// </summary>
public ref struct PrefixCursor : IDocumentCursor
{
    private readonly DocumentSnapshot _snapshot;
    private readonly PrefixQuery _query;
    private TreeCursor _cursor;
    private ScanCancellation _scan;
    private bool _isPositioned;

    internal PrefixCursor(DocumentSnapshot snapshot, TreeCursor cursor, in PrefixQuery query)
    {
        _snapshot = snapshot;
        _query = query;
        _scan = new ScanCancellation(query.Cancellation);
        _cursor = cursor;
        ReadOnlySpan<byte> prefix = query.Prefix.Span;
        ReadOnlySpan<byte> startAfter = query.StartAfter.Span;
        if (startAfter.SequenceCompareTo(prefix) > 0)
        {
            _isPositioned = _cursor.Seek(startAfter)
                && (!_cursor.Key.SequenceEqual(startAfter) || _cursor.MoveNext());
        }
        else
        {
            _isPositioned = prefix.IsEmpty ? _cursor.SeekFirst() : _cursor.Seek(prefix);
            if (_isPositioned && !startAfter.IsEmpty && _cursor.Key.SequenceEqual(startAfter))
            {
                _isPositioned = _cursor.MoveNext();
            }
        }
    }

    /// <inheritdoc/>
    /// <exception cref="OperationCanceledException">The search was ended.</exception>
    public bool MoveNext(out StoredDocument document)
    {
        while (_isPositioned)
        {
            ReadOnlySpan<byte> key = _cursor.Key;
            if (!key.StartsWith(_query.Prefix.Span))
            {
                break;
            }

            _scan.Step();

            bool isMatch = _query.IsMatch(key);
            document = isMatch
                ? _snapshot.ReadDocument(BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span))
                : default;
            _isPositioned = _cursor.MoveNext();
            if (isMatch)
            {
                return true;
            }
        }

        _isPositioned = false;
        document = default;
        return false;
    }

    /// <summary>Passes over so many documents that match; false if there are not so many.</summary>
    internal bool Skip(long count)
    {
        while (count > 0 && MoveNext(out _))
        {
            count--;
        }

        return count == 0;
    }
}
