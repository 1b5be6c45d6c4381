namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Whether an index is behind the documents.</summary>
public sealed record IndexStaleness
{
    /// <summary>Whether it is.</summary>
    public bool IsStale { get; init; }

    /// <summary>Why.</summary>
    public IReadOnlyList<string> StalenessReasons { get; init => field = value ?? []; } = [];
}
