using Microsoft.Extensions.Logging;

namespace Raven.Server.Http.Backups;

/// <summary>The log of backups.</summary>
internal static partial class BackupLog
{
    [LoggerMessage(
        EventId = 701, Level = LogLevel.Error, Message = "The backup '{Task}' of '{Database}' has failed: {Problem}")]
    internal static partial void Failed(ILogger log, string task, string database, string problem);

    [LoggerMessage(
        EventId = 703, Level = LogLevel.Error,
        Message = "How the backup '{Task}' of '{Database}' went could not be kept.")]
    internal static partial void CannotKeep(ILogger log, Exception failure, string task, string database);

    [LoggerMessage(
        EventId = 704, Level = LogLevel.Error,
        Message = "The journal of '{Database}' cannot be archived for the backup '{Task}': {Problem}")]
    internal static partial void CannotArchive(ILogger log, string task, string database, string problem);

    [LoggerMessage(EventId = 702, Level = LogLevel.Error, Message = "It could not be seen which backups are due.")]
    internal static partial void CannotLook(ILogger log, Exception failure);
}
