namespace Raven.Documents.Operations;

/// <summary>The progress of a bulk insert, as clients read it; all of it is durable. Immutable.</summary>
public sealed record BulkInsertProgress
{
    /// <summary>How many batches were committed.</summary>
    public long Batches { get; init; }

    /// <summary>The document of the last command.</summary>
    public string? LastId { get; init; }

    /// <summary>How many documents were put.</summary>
    public long Documents { get; init; }

    /// <summary>How many attachments were put.</summary>
    public long Attachments { get; init; }

    /// <summary>How many counters were changed.</summary>
    public long Counters { get; init; }

    /// <summary>How many entries of time series were written.</summary>
    public long TimeSeries { get; init; }
}
