namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Which indexes run.</summary>
public sealed record IndexingStatus
{
    /// <summary>Running, or Paused if all are.</summary>
    public string Status { get; init => field = value ?? ""; } = "";

    /// <summary>Each of them.</summary>
    public IReadOnlyList<IndexStatus> Indexes { get; init => field = value ?? []; } = [];
}
