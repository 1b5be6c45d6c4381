using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Rows;

namespace Raven.Documents;

/// <summary>
/// A document as it lies in storage: a handle over mapped memory, valid as long as the snapshot that it came from.
/// Nothing of it is copied, and making one allocates nothing.
/// </summary>
public readonly struct StoredDocument
{
    private readonly NativeSlice _row;
    private readonly DocumentSnapshot _snapshot;
    private readonly RowHeader _header;

    internal StoredDocument(NativeSlice row, DocumentSnapshot snapshot)
    {
        _row = row;
        _snapshot = snapshot;
        _header = RowLayout.ReadHeader(row.Span);
    }

    /// <summary>The id, UTF-8, as the last put spelled it.</summary>
    public NativeSlice Id => RowLayout.Id(_row);

    /// <summary>The change that wrote this version.</summary>
    public long Etag => _header.Etag;

    /// <summary>The version, UTF-8.</summary>
    public NativeSlice ChangeVector => RowLayout.ChangeVector(_row);

    /// <summary>When this version was written, UTC, 100 ns since 0001-01-01.</summary>
    public long LastModifiedTicks => _header.LastModifiedTicks;

    /// <summary>Which kinds of data belong to the document.</summary>
    internal DocumentFlags Flags => _header.Flags;

    /// <summary>The snapshot that it came from.</summary>
    internal DocumentSnapshot Snapshot => _snapshot;

    /// <summary>The number of its collection in this database.</summary>
    internal int CollectionId => _header.CollectionId;

    /// <summary>Its collection's name, UTF-8, as it was first written.</summary>
    public ReadOnlySpan<byte> Collection => _snapshot.CollectionName(_header.CollectionId);

    /// <summary>The document's bytes: a blittable, without the metadata that only the server writes.</summary>
    internal NativeSlice Memory => RowLayout.Body(_row);

    /// <summary>The document, without the metadata that only the server writes.</summary>
    public BlittableObject Data => BlittableObject.Open(Memory);
}
