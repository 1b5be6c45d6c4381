using Raven.Client.Documents.Indexes;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How an index is.</summary>
public sealed record IndexStats
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>What it does.</summary>
    public IndexState State { get; init; }

    /// <summary>Running, Paused or Disabled.</summary>
    public string? Status { get; init; }

    /// <summary>Whether it goes before others.</summary>
    public IndexPriority Priority { get; init; }

    /// <summary>What becomes of other definitions.</summary>
    public IndexLockMode LockMode { get; init; }

    /// <summary>How it was defined: Map, MapReduce, AutoMap, ...</summary>
    public string? Type { get; init; }

    /// <summary>Whether it has not seen everything yet.</summary>
    public bool IsStale { get; init; }

    /// <summary>How many entries it has.</summary>
    public long EntriesCount { get; init; }

    /// <summary>How many errors are kept.</summary>
    public long ErrorsCount { get; init; }

    /// <summary>How many documents it has looked at.</summary>
    public long MapAttempts { get; init; }

    /// <summary>How many of them it took.</summary>
    public long MapSuccesses { get; init; }

    /// <summary>How many of them it could not take.</summary>
    public long MapErrors { get; init; }

    /// <summary>When it was made, UTC.</summary>
    public DateTime CreatedTimestamp { get; init; }

    /// <summary>When it last took documents, UTC.</summary>
    public DateTime? LastIndexingTime { get; init; }

    /// <summary>When it was last asked, UTC.</summary>
    public DateTime? LastQueryingTime { get; init; }

    /// <summary>Whether too many documents failed: it stands still until it is reset.</summary>
    public bool IsInvalidIndex { get; init; }

    /// <summary>How far it is, by collection.</summary>
    public Dictionary<string, IndexCollectionStats> Collections { get; init => field = value ?? []; } = [];
}
