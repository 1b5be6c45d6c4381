using Raven.Server.Documents;

namespace Raven.Server.Http;

/// <summary>What the server knows of a document and merges into its <c>@metadata</c>. All texts are UTF-8.</summary>
internal readonly ref struct DocumentFacts
{
    /// <summary>The id.</summary>
    internal required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>The version; empty where there is none yet.</summary>
    internal required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The collection, for a document that names none.</summary>
    internal required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>When it was written; 0 where it is not yet.</summary>
    internal required long LastModifiedTicks { get; init; }

    /// <summary>What it has.</summary>
    internal required DocumentFlags Flags { get; init; }
}
