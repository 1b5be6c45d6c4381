using Raven.Storage.Errors;


namespace Raven.Documents.Indexing.Storage;

/// <summary>A document that an index could not index.</summary>
/// <param name="At">When it failed.</param>
/// <param name="DocumentId">The document; null if it was not one document.</param>
/// <param name="Action">The action that failed: <c>Map</c>, <c>Reduce</c>, <c>Index</c>.</param>
/// <param name="Message">The message of the failure.</param>
public sealed record IndexFailure(DateTimeOffset At, string? DocumentId, string Action, string Message)
{
    /// <summary>The action if a document is in the index without one of its values.</summary>
    internal const string Part = "Vector";

    /// <summary>Whether the document is not in the index at all.</summary>
    internal bool IsOfWhole => Action != Part;

    /// <summary>Whether a document caused an exception: a map may throw anything, but exceptions of storage have
    /// other causes.</summary>
    internal static bool IsOfDocument(Exception failure) => failure is not (StorageCorruptedException
        or StoragePoisonedException or StorageBusyException or SnapshotExpiredException or IOException
        or TransactionTooLargeException or OutOfMemoryException or OperationCanceledException);
}
