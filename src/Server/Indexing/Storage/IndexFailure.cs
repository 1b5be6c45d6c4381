using Raven.Storage.Errors;


namespace Raven.Server.Indexing.Storage;

/// <summary>A document that an index could not take.</summary>
/// <param name="At">When.</param>
/// <param name="DocumentId">Which; null where it was not one document.</param>
/// <param name="Action">What was done: <c>Map</c>, <c>Reduce</c>, <c>Index</c>.</param>
/// <param name="Message">What went wrong.</param>
internal sealed record IndexFailure(DateTimeOffset At, string? DocumentId, string Action, string Message)
{
    /// <summary>What was done where a document is in the index, but without something that it has.</summary>
    internal const string Part = "Vector";

    /// <summary>Whether the document is not in the index at all.</summary>
    internal bool IsOfWhole => Action != Part;

    /// <summary>A map may throw anything; what storage throws is not the document's fault.</summary>
    internal static bool IsOfDocument(Exception failure) => failure is not (StorageCorruptedException
        or StoragePoisonedException or StorageBusyException or SnapshotExpiredException or IOException
        or TransactionTooLargeException or OutOfMemoryException or OperationCanceledException);
}
