using Raven.Documents.Rows;

namespace Raven.Documents.Json;

/// <summary>What the server stores of a document and writes into its <c>@metadata</c>. All texts are UTF-8.</summary>
public readonly ref struct DocumentSystemFields
{
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>The version; empty if there is none yet.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The collection, if the document itself names none.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>When it was written; 0 if it was not yet.</summary>
    public required long LastModifiedTicks { get; init; }

    /// <summary>Which kinds of data belong to it.</summary>
    public required DocumentFlags Flags { get; init; }
}
