using Raven.Storage.Paging;

namespace Raven.Storage.Log;

/// <summary>What a committed state says of the log.</summary>
internal static class CommitPointLog
{
    /// <summary>Where the state is in the log.</summary>
    internal static LogPosition LogPosition(this in CommitPoint point) =>
        new(point.TransactionId, point.LogHash, point.Epoch);
}
