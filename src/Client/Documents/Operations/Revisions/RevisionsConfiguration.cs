namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Which versions of documents are kept.</summary>
public sealed record RevisionsConfiguration
{
    /// <summary>For collections without an entry of their own; null keeps none.</summary>
    public RevisionsCollectionConfiguration? Default { get; init; }

    /// <summary>By collection.</summary>
    public Dictionary<string, RevisionsCollectionConfiguration> Collections { get; init => field = value ?? []; } = [];
}

/// <summary>Which versions of documents are kept.</summary>
public sealed record RevisionsCollectionConfiguration
{
    /// <summary>Whether none are made.</summary>
    public bool Disabled { get; init; }

    /// <summary>Whether they are deleted with their document.</summary>
    public bool PurgeOnDelete { get; init; }

    /// <summary>How many are kept at least; null keeps all.</summary>
    public long? MinimumRevisionsToKeep { get; init; }

    /// <summary>How long they are kept at least; null keeps them forever.</summary>
    public TimeSpan? MinimumRevisionAgeToKeep { get; init; }
}
