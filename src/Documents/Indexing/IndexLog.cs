using Microsoft.Extensions.Logging;

namespace Raven.Documents.Indexing;

/// <summary>The log messages of indexes.</summary>
internal static partial class IndexLog
{
    [LoggerMessage(4001, LogLevel.Warning, "Index {Index} of {Database} is rebuilt: {Problem}")]
    internal static partial void Rebuilt(ILogger logger, string database, string index, string problem);

    [LoggerMessage(4002, LogLevel.Error, "Index {Index} of {Database} failed")]
    internal static partial void Failed(ILogger logger, Exception exception, string database, string index);

    [LoggerMessage(4003, LogLevel.Error, "Index {Index} of {Database} has stopped until it is reset: {Problem}")]
    internal static partial void HasStopped(ILogger logger, string database, string index, string problem);

    [LoggerMessage(4004, LogLevel.Information, "Index {Index} of {Database}: {What}")]
    internal static partial void Changed(ILogger logger, string database, string index, string what);

    [LoggerMessage(4005, LogLevel.Error, "The indexes of {Database} cannot be polled for changes")]
    internal static partial void CannotPoll(ILogger logger, Exception exception, string database);

    [LoggerMessage(4006, LogLevel.Warning, "The folder {Folder}, of no index of {Database}, cannot be removed")]
    internal static partial void Left(ILogger logger, Exception exception, string folder, string database);

    [LoggerMessage(4007, LogLevel.Warning, "The compiler of indexes could not be warmed up")]
    internal static partial void CannotWarmUp(ILogger logger, Exception exception);
}
