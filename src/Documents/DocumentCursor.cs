using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Walks documents by their etags. Belongs to a snapshot and ends with it; allocates nothing.</summary>
public ref struct DocumentCursor : IDocumentCursor
{
    private readonly DocumentSnapshot? _snapshot;
    private readonly bool _isForward;
    private FixedTreeCursor _cursor;
    private bool _isPositioned;

    internal DocumentCursor(DocumentSnapshot snapshot, FixedTree tree, long fromEtag, bool isForward)
    {
        _snapshot = snapshot;
        _isForward = isForward;
        _cursor = tree.GetCursor();
        _isPositioned = isForward ? _cursor.Seek(fromEtag) : _cursor.SeekAtMost(fromEtag);
    }

    /// <inheritdoc/>
    public bool MoveNext(out StoredDocument document)
    {
        if (_snapshot is null || !_isPositioned)
        {
            document = default;
            return false;
        }

        document = _snapshot.ReadDocument(_cursor.Int64Value);
        _isPositioned = _isForward ? _cursor.MoveNext() : _cursor.MovePrevious();
        return true;
    }
}
