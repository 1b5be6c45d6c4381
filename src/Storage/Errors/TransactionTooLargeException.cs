namespace Raven.Storage.Errors;

/// <summary>
/// A transaction changed more than one may. It cannot be committed, nothing of it is written, and what comes after it
/// goes on: change less at once.
/// </summary>
public sealed class TransactionTooLargeException : Exception
{
    /// <summary>Reports a transaction.</summary>
    /// <param name="what">What it has too much of, and the option that says so.</param>
    /// <param name="bytes">What it has by now.</param>
    /// <param name="bytesMax">What it may have.</param>
    public TransactionTooLargeException(string what, long bytes, long bytesMax)
        : base($"The transaction has {bytes} bytes of {what}, and may have {bytesMax}; nothing of it is written.") =>
        BytesMax = bytesMax;

    /// <summary>The bytes that it may have.</summary>
    public long BytesMax { get; }
}
