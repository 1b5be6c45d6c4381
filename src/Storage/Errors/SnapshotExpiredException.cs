namespace Raven.Storage.Errors;

/// <summary>
/// A reader kept its snapshot longer than its budget, so that the journal could not be given back, and was ended. Read
/// again in a new transaction.
/// </summary>
public sealed class SnapshotExpiredException : Exception
{
    /// <summary>Reports the end of a reader.</summary>
    /// <param name="transactionId">The snapshot it held.</param>
    /// <param name="purpose">What it was for, or empty.</param>
    public SnapshotExpiredException(long transactionId, string purpose)
        : base($"The snapshot of transaction {transactionId} ({NameOf(purpose)}) was held longer than its budget " +
            "and has been ended.") => TransactionId = transactionId;

    /// <summary>The snapshot that was held.</summary>
    public long TransactionId { get; }

    private static string NameOf(string purpose) => string.IsNullOrEmpty(purpose) ? "unnamed" : purpose;
}
