namespace Raven.Documents.Changes;

/// <summary>One committed change. Its texts live only as long as the call that hands it over.</summary>
internal readonly ref struct DocumentChange
{
    /// <summary>What the change did.</summary>
    public required DocumentChangeType Type { get; init; }

    /// <summary>The id as the change wrote it, UTF-8.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>The collection, as the document spells it, UTF-8.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>The new version, UTF-8.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The change's etag.</summary>
    public required long Etag { get; init; }
}
