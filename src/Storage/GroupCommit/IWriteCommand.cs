using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Storage.GroupCommit;

/// <summary>One write that may share its transaction with others.</summary>
public interface IWriteCommand
{
    /// <summary>About how many bytes it brings; what is queued is bounded by their sum. Asked once, when it comes.
    /// </summary>
    long SizeInBytes => 0;

    /// <summary>
    /// Makes its changes. It checks all that can fail before it changes anything: if it throws, the whole shared
    /// transaction is dropped and every command in it is executed again, in a transaction of its own. So it is where
    /// all together are too large for a transaction, or for the disk, in which each alone may find room.
    /// </summary>
    void Execute(WriteTransaction transaction);

    /// <summary>
    /// Called once, when the transaction is durable and readers see it, before the writer is told. On the thread that
    /// commits: it must not block, and should not throw. What is thrown is only reported
    /// (<see cref="StorageOptions.OnEvent"/>): the write stays durable and is acknowledged.
    /// </summary>
    /// <param name="transactionId">The transaction it became part of.</param>
    void Committed(long transactionId)
    {
    }
}
