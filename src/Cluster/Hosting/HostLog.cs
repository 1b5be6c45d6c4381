using Microsoft.Extensions.Logging;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <summary>What the log says of the groups of a node.</summary>
internal static partial class HostLog
{
    [LoggerMessage(Level = LogLevel.Warning,
        Message = "{Database}: what {Tag} sends is no frame, or was changed on the way; the connection is closed.")]
    internal static partial void Damaged(ILogger log, string database, string tag);

    [LoggerMessage(Level = LogLevel.Debug, Message = "{Database}: the connection with {Tag} is over: {Why}")]
    internal static partial void Over(ILogger log, string database, string tag, string why);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Database}: {Tag} has connected.")]
    internal static partial void Accepted(ILogger log, string database, string tag);

    [LoggerMessage(Level = LogLevel.Warning, Message = "{Database}: no connection with {Tag}: {Why}")]
    internal static partial void Refused(ILogger log, string database, string tag, string why);

    [LoggerMessage(Level = LogLevel.Information,
        Message = "{Database}: this node is {Role} in epoch {Epoch}, {Primary} is primary.{Hindrance}")]
    internal static partial void Changed(
        ILogger log, string database, ReplicaRole role, long epoch, string primary, string hindrance);

    [LoggerMessage(Level = LogLevel.Error,
        Message = "{Database}: the files failed; they are closed, and tried again in {Pause}.")]
    internal static partial void FilesFailed(ILogger log, Exception why, string database, TimeSpan pause);

    [LoggerMessage(Level = LogLevel.Warning,
        Message = "{Database}: it is unknown what becomes of transaction {Transaction}; its writers are told so.")]
    internal static partial void InDoubt(ILogger log, string database, long transaction);

    [LoggerMessage(Level = LogLevel.Warning,
        Message = "{Database}: a write is still on its way; the node does not wait for it any longer.")]
    internal static partial void NotDrained(ILogger log, Exception why, string database);

    [LoggerMessage(Level = LogLevel.Critical,
        Message = "{Database}: a fault in the replication of this node; it takes no part until it is started again.")]
    internal static partial void Broken(ILogger log, Exception why, string database);

    [LoggerMessage(Level = LogLevel.Information,
        Message = "{Database}: pages that changed since {Since} are copied from {Tag}; 0: all.")]
    internal static partial void Copies(ILogger log, string database, string tag, long since);

    [LoggerMessage(Level = LogLevel.Information,
        Message = "{Database}: {Bytes} bytes of pages were copied from {Tag}.")]
    internal static partial void Copied(ILogger log, string database, string tag, long bytes);

    [LoggerMessage(Level = LogLevel.Warning, Message = "{Database}: a copy of pages with {Tag} has failed.")]
    internal static partial void CopyFailed(ILogger log, Exception why, string database, string tag);

    [LoggerMessage(Level = LogLevel.Warning, Message = "{Database}: the record of the group is of no use: {Problem}")]
    internal static partial void BadRecord(ILogger log, string database, string problem);

    [LoggerMessage(Level = LogLevel.Error,
        Message = "{Database}: the store could not be asked for the group; it is asked again.")]
    internal static partial void StoreFailed(ILogger log, Exception why, string database);

    [LoggerMessage(Level = LogLevel.Warning,
        Message = "{Database}: what this node had of another history is kept aside, in the files kept-* of the folder "
            + "of its documents: {Bytes} bytes, which nobody uses. Remove them when nothing of it is missed.")]
    internal static partial void KeptAside(ILogger log, string database, long bytes);

    [LoggerMessage(Level = LogLevel.Error, Message = "Node {Tag}: {Problem}")]
    internal static partial void NodeProblem(ILogger log, string tag, string problem);
}
