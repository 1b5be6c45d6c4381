using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>
/// What a reader sees: a committed, durable state, and the table that finds its pages in scratch memory. Written by the
/// holder of the write lock before it is published, never after; reused when no reader can hold it.
/// </summary>
internal sealed class Snapshot
{
    /// <summary>Increases with each publication; readers register it, and memory is freed by it.</summary>
    internal long Version;

    /// <summary>The state.</summary>
    internal CommitPoint Point;

    /// <summary>Finds the pages that are not in the data file yet.</summary>
    internal PageTable Table = null!;
}
