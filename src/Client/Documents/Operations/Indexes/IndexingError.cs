namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>A document that an index failed to index.</summary>
public sealed record IndexingError
{
    /// <summary>When, UTC.</summary>
    public DateTime Timestamp { get; init; }

    /// <summary>Its id.</summary>
    public string? Document { get; init; }

    /// <summary>The step that failed: Map, Reduce.</summary>
    public string? Action { get; init; }

    /// <summary>The message of the error.</summary>
    public string Error { get; init => field = value ?? ""; } = "";
}
