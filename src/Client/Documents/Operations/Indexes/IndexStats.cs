using Raven.Client.Documents.Indexes;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The state and counts of an index.</summary>
public sealed record IndexStats
{
    /// <summary>The name of the index.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Whether the index runs.</summary>
    public IndexState State { get; init; }

    /// <summary>Running, Paused or Disabled.</summary>
    public string? Status { get; init; }

    /// <summary>The order in which indexes run.</summary>
    public IndexPriority Priority { get; init; }

    /// <summary>What the server does with a different definition of the same name.</summary>
    public IndexLockMode LockMode { get; init; }

    /// <summary>How it was defined: Map, MapReduce, AutoMap, ...</summary>
    public string? Type { get; init; }

    /// <summary>Whether the index is stale: behind the documents.</summary>
    public bool IsStale { get; init; }

    /// <summary>How many entries the index has.</summary>
    public long EntriesCount { get; init; }

    /// <summary>How many errors are kept.</summary>
    public long ErrorsCount { get; init; }

    /// <summary>How many documents were mapped.</summary>
    public long MapAttempts { get; init; }

    /// <summary>How many mapped documents had no error.</summary>
    public long MapSuccesses { get; init; }

    /// <summary>How many mapped documents had an error.</summary>
    public long MapErrors { get; init; }

    /// <summary>When the index was created, UTC.</summary>
    public DateTime CreatedTimestamp { get; init; }

    /// <summary>When it last indexed documents, UTC.</summary>
    public DateTime? LastIndexingTime { get; init; }

    /// <summary>When it was last queried, UTC.</summary>
    public DateTime? LastQueryingTime { get; init; }

    /// <summary>Whether the index does not run until it is reset, because too many documents failed.</summary>
    public bool IsInvalidIndex { get; init; }

    /// <summary>How far the index is, by collection.</summary>
    public Dictionary<string, IndexCollectionStats> Collections { get; init => field = value ?? []; } = [];
}
