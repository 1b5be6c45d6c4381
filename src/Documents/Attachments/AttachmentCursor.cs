using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Attachments;

/// <summary>The attachments of a document, in the order of their folded names.</summary>
internal ref struct AttachmentCursor
{
    private readonly RowHeap? _rows;
    private readonly ReadOnlySpan<byte> _prefix;
    private TreeCursor _cursor;
    private readonly bool _hasTree;
    private bool _hasBegun;

    /// <summary>A cursor before the first.</summary>
    /// <param name="rows">The rows, or null if the tree has them.</param>
    /// <param name="byKey">Their keys, or null if there are none.</param>
    /// <param name="prefix">What the document's keys begin with; must outlive the cursor.</param>
    internal AttachmentCursor(RowHeap? rows, Tree? byKey, ReadOnlySpan<byte> prefix)
    {
        _rows = rows;
        _prefix = prefix;
        _hasTree = byKey is not null;
        _cursor = byKey is null ? default : byKey.GetCursor();
    }

    internal bool MoveNext(out StoredAttachment attachment)
    {
        bool isThere = _hasTree && (_hasBegun ? _cursor.MoveNext() : _cursor.Seek(_prefix));
        _hasBegun = true;
        if (!isThere || !_cursor.Key.StartsWith(_prefix))
        {
            attachment = default;
            return false;
        }

        NativeSlice value = _cursor.Value;
        attachment = new StoredAttachment(
            _rows is null ? value : _rows.Read(BinaryPrimitives.ReadInt64LittleEndian(value.Span)));
        return true;
    }
}
