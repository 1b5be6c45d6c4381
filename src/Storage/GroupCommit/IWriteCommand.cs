using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Storage.GroupCommit;

/// <summary>One write that may share its transaction with others.</summary>
public interface IWriteCommand
{
    /// <summary>
    /// About how many bytes the command writes; the sum over queued commands is bounded. Read once, when it is queued.
    /// </summary>
    long SizeInBytes => 0;

    /// <summary>
    /// Makes its changes. It checks all that can fail before it changes anything: if it throws, the whole shared
    /// transaction is dropped and every command in it is executed again, in a transaction of its own. The same happens
    /// if all together are too large for a transaction or for the disk, which each alone may fit.
    /// </summary>
    void Execute(WriteTransaction transaction);

    /// <summary>
    /// Called once, when the transaction is durable and readers see it, before the writer is notified. On the thread
    /// that commits: it must not block, and should not throw. An exception is only reported
    /// (<see cref="StorageOptions.OnEvent"/>): the write stays durable and is acknowledged.
    /// </summary>
    /// <param name="transactionId">The transaction it became part of.</param>
    void Committed(long transactionId)
    {
    }
}
