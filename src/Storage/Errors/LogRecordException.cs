namespace Raven.Storage.Errors;

/// <summary>A log record of another node was refused; nothing has changed, and the environment takes others.</summary>
public sealed class LogRecordException : Exception
{
    /// <summary>Reports a refusal.</summary>
    /// <param name="refusal">Why.</param>
    /// <param name="transactionId">The transaction that the record says it is of; 0 if it says nothing.</param>
    /// <param name="what">What is wrong, as the end of a sentence.</param>
    public LogRecordException(LogRefusal refusal, long transactionId, string what)
        : base($"The log record of transaction {transactionId} is refused ({refusal}): {what}.")
    {
        Refusal = refusal;
        TransactionId = transactionId;
    }

    /// <summary>Why.</summary>
    public LogRefusal Refusal { get; }

    /// <summary>The transaction that the record says it is of.</summary>
    public long TransactionId { get; }
}
