namespace Raven.Storage.Recovery;

/// <summary>What an open found in the journal.</summary>
/// <param name="Transactions">Transactions applied to the data file.</param>
/// <param name="JournalBytes">Journal bytes read for that.</param>
/// <param name="LastTransactionId">The last transaction of the recovered state.</param>
/// <param name="TornTail">True if the last write had not been finished and was dropped.</param>
/// <param name="Elapsed">The time it took.</param>
public sealed record RecoveryResult(
    long Transactions, long JournalBytes, long LastTransactionId, bool TornTail, TimeSpan Elapsed)
{
    /// <summary>True if a journal was in use, so that its last record may have been torn.</summary>
    internal bool JournalRead { get; init; }
}
