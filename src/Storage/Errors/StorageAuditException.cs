using Raven.Storage.Options;

namespace Raven.Storage.Errors;

/// <summary>
/// An audit of a transaction found a mistake of the storage itself: see <see cref="StorageOptions.AuditsCommits"/>. The
/// transaction is not committed, and writes are refused until the environment is reopened.
/// </summary>
internal sealed class StorageAuditException : Exception
{
    /// <summary>Reports findings.</summary>
    internal StorageAuditException(long transactionId, IEnumerable<string> findings)
        : base($"Audit of transaction {transactionId}: {string.Join("; ", findings)}.")
    {
    }
}
