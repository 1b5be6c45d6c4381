namespace Raven.Client.Documents.BulkInsert;

/// <summary>How a bulk insert behaves.</summary>
public sealed class BulkInsertOptions
{
    /// <summary>Whether the bytes are sent compressed; worth it on a slow network.</summary>
    public bool UseCompression { get; init; }

    /// <summary>Does not write documents that are stored with the same content.</summary>
    public bool SkipOverwriteIfUnchanged { get; init; }
}
