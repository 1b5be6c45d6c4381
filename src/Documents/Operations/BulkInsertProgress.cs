namespace Raven.Documents.Operations;

/// <summary>The progress of a bulk insert, as clients read it; all of it is durable. Immutable.</summary>
internal sealed record BulkInsertProgress
{
    /// <summary>How many batches were committed.</summary>
    internal long Batches { get; init; }

    /// <summary>The document of the last command.</summary>
    internal string? LastId { get; init; }

    /// <summary>How many documents were put.</summary>
    internal long Documents { get; init; }

    /// <summary>How many attachments were put.</summary>
    internal long Attachments { get; init; }

    /// <summary>How many counters were changed.</summary>
    internal long Counters { get; init; }
}
