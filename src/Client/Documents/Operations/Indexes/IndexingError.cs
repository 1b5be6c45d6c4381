namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>A document that an index could not take.</summary>
public sealed record IndexingError
{
    /// <summary>When, UTC.</summary>
    public DateTime Timestamp { get; init; }

    /// <summary>Its id.</summary>
    public string? Document { get; init; }

    /// <summary>What was done with it: Map, Reduce.</summary>
    public string? Action { get; init; }

    /// <summary>Why.</summary>
    public string Error { get; init => field = value ?? ""; } = "";
}
