using Raven.Client.Documents.Indexes;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The state and counts of an index.</summary>
public sealed record IndexStats
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Whether it runs.</summary>
    public IndexState State { get; init; }

    /// <summary>Running, Paused or Disabled.</summary>
    public string? Status { get; init; }

    /// <summary>Whether it runs before other indexes.</summary>
    public IndexPriority Priority { get; init; }

    /// <summary>What happens to other definitions of its name.</summary>
    public IndexLockMode LockMode { get; init; }

    /// <summary>How it was defined: Map, MapReduce, AutoMap, ...</summary>
    public string? Type { get; init; }

    /// <summary>Whether it is behind the documents.</summary>
    public bool IsStale { get; init; }

    /// <summary>How many entries it has.</summary>
    public long EntriesCount { get; init; }

    /// <summary>How many errors are kept.</summary>
    public long ErrorsCount { get; init; }

    /// <summary>How many documents it has mapped.</summary>
    public long MapAttempts { get; init; }

    /// <summary>How many of them succeeded.</summary>
    public long MapSuccesses { get; init; }

    /// <summary>How many of them failed.</summary>
    public long MapErrors { get; init; }

    /// <summary>When it was made, UTC.</summary>
    public DateTime CreatedTimestamp { get; init; }

    /// <summary>When it last indexed documents, UTC.</summary>
    public DateTime? LastIndexingTime { get; init; }

    /// <summary>When it was last queried, UTC.</summary>
    public DateTime? LastQueryingTime { get; init; }

    /// <summary>Whether too many documents failed: it does not run until it is reset.</summary>
    public bool IsInvalidIndex { get; init; }

    /// <summary>How far it is, by collection.</summary>
    public Dictionary<string, IndexCollectionStats> Collections { get; init => field = value ?? []; } = [];
}
