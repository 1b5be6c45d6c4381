namespace Raven.Storage.Errors;

/// <summary>
/// A transaction changed more than a transaction may. It cannot be committed and nothing of it is written; later
/// transactions are not affected. Change less at once.
/// </summary>
public sealed class TransactionTooLargeException : Exception
{
    /// <summary>Reports a transaction.</summary>
    /// <param name="what">What it has too much of, and the option that sets the bound.</param>
    /// <param name="bytes">What it has so far.</param>
    /// <param name="bytesMax">What it may have.</param>
    public TransactionTooLargeException(string what, long bytes, long bytesMax)
        : base($"The transaction has {bytes} bytes of {what}, and may have {bytesMax}; nothing of it is written.") =>
        BytesMax = bytesMax;

    /// <summary>The bytes that it may have.</summary>
    public long BytesMax { get; }
}
