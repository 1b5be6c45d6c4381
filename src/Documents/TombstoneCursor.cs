using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Walks deletions by their etags. Belongs to a snapshot and ends with it; allocates nothing.</summary>
internal ref struct TombstoneCursor
{
    private readonly DocumentSnapshot? _snapshot;
    private FixedTreeCursor _cursor;
    private bool _isPositioned;

    internal TombstoneCursor(DocumentSnapshot snapshot, FixedTree tree, long fromEtag)
    {
        _snapshot = snapshot;
        _cursor = tree.GetCursor();
        _isPositioned = _cursor.Seek(fromEtag);
    }

    /// <summary>Gives the next tombstone; false at the end.</summary>
    public bool MoveNext(out StoredTombstone tombstone)
    {
        if (_snapshot is null || !_isPositioned)
        {
            tombstone = default;
            return false;
        }

        tombstone = _snapshot.ReadTombstone(_cursor.Int64Value);
        _isPositioned = _cursor.MoveNext();
        return true;
    }
}
