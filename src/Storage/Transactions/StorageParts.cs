using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>
/// The files, the memory and the snapshots of one environment, for the types that begin, commit and flush its
/// transactions. Each is made once, with the environment, and released by it.
/// </summary>
internal sealed record StorageParts(
    StorageOptions Options,
    FaultLatch Faults,
    DataFile Data,
    HeaderWriter Header,
    JournalWriter Journal,
    ScratchPool Scratch,
    FreeSpace FreeSpace,
    ReaderRegistry Readers,
    SnapshotPublisher Snapshots)
{
    /// <summary>The last commit that readers see. Any thread.</summary>
    internal long LastTransactionId => Snapshots.Current.Point.TransactionId;
}
