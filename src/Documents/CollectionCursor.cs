using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Walks collections by their folded names. Belongs to a snapshot and ends with it.</summary>
public ref struct CollectionCursor
{
    private readonly DocumentSnapshot _snapshot;
    private TreeCursor _cursor;
    private bool _isPositioned;

    internal CollectionCursor(DocumentSnapshot snapshot, TreeCursor cursor)
    {
        _snapshot = snapshot;
        _cursor = cursor;
        _isPositioned = _cursor.SeekFirst();
    }

    /// <summary>Gives the next collection; false at the end.</summary>
    public bool MoveNext(out CollectionInfo collection)
    {
        if (!_isPositioned)
        {
            collection = default;
            return false;
        }

        NativeSlice value = _cursor.Value;
        int id = BinaryPrimitives.ReadInt32LittleEndian(value.Span);
        collection = new CollectionInfo
        {
            Id = id,
            Name = value.Slice(sizeof(int)),
            DocumentCount = _snapshot.OpenFixed(DocumentSchema.CollectionDocuments(id)).Count,
            TombstoneCount = _snapshot.OpenFixed(DocumentSchema.CollectionTombstones(id)).Count,
        };
        _isPositioned = _cursor.MoveNext();
        return true;
    }
}
