using Raven.Storage.Backup;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>Environments whose journal is kept for an archive.</summary>
internal static class ArchivedEnvironment
{
    /// <summary>Switches the archive on; where that fails, the environment is closed.</summary>
    internal static StorageEnvironment Of(StorageEnvironment environment)
    {
        try
        {
            new JournalArchive(environment).TurnOn();
            return environment;
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }
}
