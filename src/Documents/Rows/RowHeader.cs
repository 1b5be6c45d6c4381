namespace Raven.Documents.Rows;

/// <summary>The fixed fields of a row; see <see cref="RowLayout"/>.</summary>
internal struct RowHeader
{
    /// <summary>The change that wrote the row.</summary>
    internal long Etag;

    /// <summary>UTC, 100 ns since 0001-01-01.</summary>
    internal long LastModifiedTicks;

    /// <summary>What belongs to the document, or which kind of version it is.</summary>
    internal DocumentFlags Flags;

    /// <summary>The number of its collection, as in the Collections tree.</summary>
    internal int CollectionId;

    /// <summary>What the row is, or what was deleted.</summary>
    internal RowKind Kind;

    /// <summary>True in a tombstone.</summary>
    internal bool IsTombstone;
}
