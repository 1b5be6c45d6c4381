namespace Raven.Client.Documents.Operations;

/// <summary>What an index is doing, in short.</summary>
public sealed record IndexInformation
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Whether it is behind the documents.</summary>
    public bool IsStale { get; init; }

    /// <summary>Normal, Disabled, Error or Idle.</summary>
    public string? State { get; init; }

    /// <summary>How it was defined: Map, MapReduce, AutoMap, ...</summary>
    public string? Type { get; init; }
}
