namespace Raven.Storage.Errors;

/// <summary>The journal does not have the records anymore that an archive needs next.</summary>
public sealed class ArchiveGapException : Exception
{
    /// <summary>Reports a gap.</summary>
    /// <param name="transactionId">The transaction that the archive ends with.</param>
    /// <param name="why">Why the records are gone, if that is known.</param>
    public ArchiveGapException(long transactionId, string? why)
        : base($"The journal does not have what follows transaction {transactionId} anymore"
            + (why is null ? "." : $": {why}.") + " The archive goes on behind the next backup.")
    {
    }
}
