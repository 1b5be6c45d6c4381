namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Documents that an index failed to index.</summary>
public sealed record IndexErrors
{
    /// <summary>The index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The last errors.</summary>
    public IReadOnlyList<IndexingError> Errors { get; init => field = value ?? []; } = [];
}
