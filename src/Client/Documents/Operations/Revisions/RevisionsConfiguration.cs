namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Which versions of documents are kept.</summary>
public sealed record RevisionsConfiguration
{
    /// <summary>For collections without an entry of their own; null keeps none.</summary>
    public RevisionsCollectionConfiguration? Default { get; init; }

    /// <summary>By collection.</summary>
    public Dictionary<string, RevisionsCollectionConfiguration> Collections { get; init => field = value ?? []; } = [];
}
