namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How long the batches of an index took.</summary>
public sealed record IndexPerformanceStats
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>How many batches there were.</summary>
    public long Batches { get; init; }

    /// <summary>How many entries they made.</summary>
    public long Entries { get; init; }

    /// <summary>How long all took.</summary>
    public double TotalDurationInMs { get; init; }

    /// <summary>How long the last one took.</summary>
    public double LastDurationInMs { get; init; }

    /// <summary>How many documents the last one had.</summary>
    public long LastDocuments { get; init; }
}
