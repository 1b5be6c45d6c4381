namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Which revisions of documents are kept.</summary>
public sealed record RevisionsConfiguration
{
    /// <summary>
    /// The configuration of collections without an entry in <see cref="Collections"/>; null keeps no revisions of them.
    /// </summary>
    public RevisionsCollectionConfiguration? Default { get; init; }

    /// <summary>The configurations by collection.</summary>
    public Dictionary<string, RevisionsCollectionConfiguration> Collections { get; init => field = value ?? []; } = [];
}

/// <summary>Which revisions of documents are kept.</summary>
public sealed record RevisionsCollectionConfiguration
{
    /// <summary>Whether no revisions are made.</summary>
    public bool Disabled { get; init; }

    /// <summary>Whether revisions are deleted with their document.</summary>
    public bool PurgeOnDelete { get; init; }

    /// <summary>How many revisions of a document are kept at least; null keeps all.</summary>
    public long? MinimumRevisionsToKeep { get; init; }

    /// <summary>How long revisions are kept at least; null keeps them forever.</summary>
    public TimeSpan? MinimumRevisionAgeToKeep { get; init; }
}
