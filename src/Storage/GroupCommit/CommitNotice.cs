using Raven.Storage.Options;

namespace Raven.Storage.GroupCommit;

/// <summary>Notifies commands of their commits.</summary>
internal static class CommitNotice
{
    /// <summary>
    /// Notifies a command that it is committed. If it throws, the commit stands, as it is durable, and the other
    /// commands are not affected; the exception is logged, unless even its message throws.
    /// </summary>
    internal static void Give(StorageOptions options, IWriteCommand command, long transactionId)
    {
        try
        {
            command.Committed(transactionId);
        }
        catch (Exception thrown)
        {
            try
            {
                options.Report(
                    true,
                    $"A command of transaction {transactionId} threw when it was notified of its commit: {thrown}");
            }
            catch (Exception)
            {
                options.Report(true, "A command threw when it was notified of its commit.");
            }
        }
    }
}
