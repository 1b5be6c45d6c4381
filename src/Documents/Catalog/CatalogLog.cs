using Microsoft.Extensions.Logging;
using Raven.Storage.Options;

namespace Raven.Documents.Catalog;

/// <summary>What the catalog of databases says in the log.</summary>
internal static partial class CatalogLog
{
    /// <summary>An event that a storage environment reports.</summary>
    internal static void Storage(ILogger logger, StorageEvent storageEvent, string name)
    {
        if (storageEvent.IsWarning)
        {
            StorageWarning(logger, name, storageEvent.Message);
        }
        else
        {
            StorageNote(logger, name, storageEvent.Message);
        }
    }

    [LoggerMessage(3001, LogLevel.Information, "Database {Name} was created.")]
    internal static partial void Created(ILogger logger, string name);

    [LoggerMessage(3002, LogLevel.Information, "Database {Name} was deleted; with its files: {HardDelete}.")]
    internal static partial void Deleted(ILogger logger, string name, bool hardDelete);

    [LoggerMessage(3003, LogLevel.Warning, "The files in {Folder} could not be deleted; the next start tries again.")]
    internal static partial void CannotDelete(ILogger logger, Exception error, string folder);

    [LoggerMessage(3006, LogLevel.Error, "Database {Name} cannot be used, the others can: {Reason}")]
    internal static partial void CannotUse(ILogger logger, string name, string reason);

    [LoggerMessage(3007, LogLevel.Error, "Database {Name}: what is done by itself now and then failed.")]
    internal static partial void MaintenanceFailed(ILogger logger, Exception error, string name);

    [LoggerMessage(3008, LogLevel.Error, "Database {Name}: its listeners could not be notified of changes.")]
    internal static partial void NotificationFailed(ILogger logger, Exception error, string name);

    [LoggerMessage(3004, LogLevel.Warning, "{Name}: {Message}")]
    private static partial void StorageWarning(ILogger logger, string name, string message);

    [LoggerMessage(3005, LogLevel.Debug, "{Name}: {Message}")]
    private static partial void StorageNote(ILogger logger, string name, string message);
}
