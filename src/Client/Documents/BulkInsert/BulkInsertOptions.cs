namespace Raven.Client.Documents.BulkInsert;

/// <summary>How a bulk insert behaves.</summary>
public sealed class BulkInsertOptions
{
    /// <summary>Whether the bytes are sent compressed; worth it where the way is slow.</summary>
    public bool UseCompression { get; init; }

    /// <summary>Leaves documents alone that are already there as they are.</summary>
    public bool SkipOverwriteIfUnchanged { get; init; }
}
