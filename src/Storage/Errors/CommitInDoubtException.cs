namespace Raven.Storage.Errors;

/// <summary>
/// A commit is in the journal of this node, or was sent to others before it could not be written there, and whether it
/// is one of the group's is not known here: it was neither failed nor acknowledged, and nobody has seen it.
/// </summary>
public sealed class CommitInDoubtException : Exception
{
    /// <summary>Reports what is in doubt.</summary>
    /// <param name="transactionId">The transaction.</param>
    /// <param name="cause">Why no answer came; null if the storage was closed meanwhile.</param>
    public CommitInDoubtException(long transactionId, Exception? cause)
        : base(
            $"transaction {transactionId} was neither failed nor acknowledged, as "
                + (cause is null ? "the storage was closed before its group had decided" : cause.Message),
            cause) => TransactionId = transactionId;

    /// <summary>The transaction.</summary>
    public long TransactionId { get; }
}
