namespace Raven.Storage.Errors;

/// <summary>
/// A reader kept its snapshot longer than allowed while the journal could not be freed, and was ended. Read again in a
/// new transaction.
/// </summary>
public sealed class SnapshotExpiredException : Exception
{
    /// <summary>Reports the end of a reader.</summary>
    /// <param name="transactionId">The snapshot that was held.</param>
    /// <param name="purpose">What the reader was for, or empty.</param>
    public SnapshotExpiredException(long transactionId, string purpose)
        : base($"The snapshot of transaction {transactionId} ({NameOf(purpose)}) was held longer than its budget " +
            "and has been ended.") => TransactionId = transactionId;

    /// <summary>The last transaction that the snapshot contains.</summary>
    public long TransactionId { get; }

    private static string NameOf(string purpose) => string.IsNullOrEmpty(purpose) ? "unnamed" : purpose;
}
