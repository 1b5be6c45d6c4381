namespace Raven.Client.Documents.Operations;

/// <summary>The state of an index, in short.</summary>
public sealed record IndexInformation
{
    /// <summary>The name of the index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Whether the index is stale: behind the documents.</summary>
    public bool IsStale { get; init; }

    /// <summary>Normal, Disabled, Error or Idle.</summary>
    public string? State { get; init; }

    /// <summary>How it was defined: Map, MapReduce, AutoMap, ...</summary>
    public string? Type { get; init; }
}
