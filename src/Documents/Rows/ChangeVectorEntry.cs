namespace Raven.Documents.Rows;

/// <summary>One part of a change vector: how far one database's changes are known. Lives as long as its text.</summary>
internal readonly ref struct ChangeVectorEntry(ReadOnlySpan<byte> nodeTag, long etag, ReadOnlySpan<byte> databaseId)
{
    /// <summary>The node's letters, for people; they do not take part in a comparison.</summary>
    internal ReadOnlySpan<byte> NodeTag { get; } = nodeTag;

    /// <summary>The last change of that database that is known.</summary>
    internal long Etag { get; } = etag;

    /// <summary>The database, 22 characters.</summary>
    internal ReadOnlySpan<byte> DatabaseId { get; } = databaseId;
}
