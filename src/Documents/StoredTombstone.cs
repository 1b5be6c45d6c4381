using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;

namespace Raven.Documents;

/// <summary>
/// The trace of a deletion, so that indexes, replication and incremental backups learn of it. A handle over mapped
/// memory, valid as long as the snapshot that it came from.
/// </summary>
internal readonly struct StoredTombstone
{
    private readonly NativeSlice _row;
    private readonly DocumentSnapshot _snapshot;
    private readonly RowHeader _header;

    internal StoredTombstone(NativeSlice row, DocumentSnapshot snapshot)
    {
        _row = row;
        _snapshot = snapshot;
        _header = RowLayout.ReadHeader(row.Span);
    }

    /// <summary>The kind of what was deleted.</summary>
    public RowKind Kind => _header.Kind;

    /// <summary>The id, UTF-8, as the deleted version spelled it.</summary>
    public NativeSlice Id => RowLayout.Id(_row);

    /// <summary>The deletion's etag.</summary>
    public long Etag => _header.Etag;

    /// <summary>The etag of the version that was deleted.</summary>
    public long DeletedEtag => BinaryPrimitives.ReadInt64LittleEndian(RowLayout.Body(_row).Span);

    /// <summary>The deletion's change vector, UTF-8.</summary>
    public NativeSlice ChangeVector => RowLayout.ChangeVector(_row);

    /// <summary>When it was deleted, UTC, 100 ns since 0001-01-01.</summary>
    public long LastModifiedTicks => _header.LastModifiedTicks;

    /// <summary>Which kinds of data belonged to the document.</summary>
    public DocumentFlags Flags => _header.Flags;

    /// <summary>The number of the collection that it was in.</summary>
    public int CollectionId => _header.CollectionId;

    /// <summary>The name of that collection, UTF-8, as it was first written.</summary>
    public ReadOnlySpan<byte> Collection => _snapshot.CollectionName(_header.CollectionId);
}
