namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Documents that an index could not take.</summary>
public sealed record IndexErrors
{
    /// <summary>The index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>What went wrong, the last ones.</summary>
    public IReadOnlyList<IndexingError> Errors { get; init => field = value ?? []; } = [];
}
