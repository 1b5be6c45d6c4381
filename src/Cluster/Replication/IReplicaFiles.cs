using Raven.Storage.Errors;
using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>
/// The files of one database on one node, as the shell of a <see cref="ReplicaCore"/> drives them. Each member names
/// the action that it is for. One call at a time, but <see cref="Find"/>, <see cref="Forget"/>, <see cref="Lead"/>,
/// <see cref="Shut"/>, <see cref="Publish"/>, <see cref="Lose"/> and <see cref="SendPagesAsync"/>, which may run beside
/// all others. What waits for the disk says so.
/// </summary>
public interface IReplicaFiles : IDisposable
{
    /// <summary>Who is told of the primary's own commits. To be set before anything is opened.</summary>
    IReplicaFilesWatcher Watcher { get; set; }

    /// <summary>The last transaction that the own journal has; while the files are closed, what the scan found.
    /// </summary>
    LogPosition Durable { get; }

    /// <summary>What readers see; the default while the files are closed.</summary>
    LogPosition Visible { get; }

    /// <summary>
    /// Looks at the closed files, and keeps the records of their journal, so that they can be shipped before the files
    /// are opened and after: at the start, and after <see cref="Close"/>. Waits for the disk.
    /// </summary>
    /// <exception cref="StorageCorruptedException">The files are damaged.</exception>
    ReplicaStart Scan();

    /// <summary>
    /// <see cref="ReplicaActionKind.Recover"/>: opens the files as of a transaction and drops what follows it. If they
    /// are open they are closed before. Waits for the disk.
    /// </summary>
    /// <returns>The id of the storage, for <see cref="ReplicaCore.Recovered"/>.</returns>
    /// <exception cref="RecoverUpToException">They cannot end with it.</exception>
    ulong Recover(long transactionId);

    /// <summary>
    /// <see cref="ReplicaActionKind.Found"/>: notes durably that the history of the closed files begins with what they
    /// have. <see cref="Scan"/> follows.
    /// </summary>
    void Found(ulong lineage);

    /// <summary>
    /// The bytes of a record that is kept: <see cref="ReplicaActionKind.SendRecord"/>. Not to be changed.
    /// </summary>
    /// <returns>Null if it is kept no more: the connection is closed, and the follower begins again.</returns>
    ReadOnlyMemory<byte>? Find(LogPosition position);

    /// <summary>Records up to a transaction are needed no more: that of <see cref="ReplicaCore.FirstKept"/>.</summary>
    void Forget(long transactionId);

    /// <summary>
    /// <see cref="ReplicaActionKind.Apply"/>: applies a record of the primary and writes it to the own journal. Waits
    /// for the disk; when it returns that is durable.
    /// </summary>
    /// <param name="lineage">That of the message.</param>
    /// <param name="record">The bytes that came with it, which are kept and not to be changed any more.</param>
    /// <returns>Where the log ends now.</returns>
    /// <exception cref="LogRecordException">It is refused; nothing has changed.</exception>
    LogPosition Apply(ulong lineage, ReadOnlyMemory<byte> record);

    /// <summary>
    /// <see cref="ReplicaActionKind.Publish"/>: readers see a transaction, a follower's or the primary's own; the
    /// writers of the primary's are answered. Does nothing if they see it already.
    /// </summary>
    void Publish(long transactionId);

    /// <summary>
    /// The gate lets transactions in, under an epoch: before <see cref="OpenEpochAsync"/>, and after a planned switch
    /// that came to nothing.
    /// </summary>
    void Lead(long epoch);

    /// <summary>
    /// The gate is shut: from now on each transaction that asks is refused with
    /// <see cref="IReplicaDatabase.NotPrimary"/>. One that was let in before may still come out.
    /// </summary>
    void Shut();

    /// <summary>Shuts the gate and waits until nothing that was let in is on its way: before a planned switch.
    /// </summary>
    Task DrainAsync(CancellationToken cancellation);

    /// <summary>
    /// <see cref="ReplicaActionKind.Open"/>: notes the lineage, lets the gate open and lets the database write the
    /// transaction that opens the epoch, which comes out of the gate like any other. Completes when it is committed.
    /// </summary>
    Task OpenEpochAsync(long epoch, ulong lineage);

    /// <summary>
    /// Nobody here knows what becomes of the transaction in flight (REP-9): its writers are told so. Then
    /// <see cref="Close"/> and <see cref="Scan"/> follow. Does nothing if none is.
    /// </summary>
    void Lose(Exception cause);

    /// <summary>
    /// Closes the files, waiting for what uses them and for the disk. What is in flight is lost. Does nothing if they
    /// are closed.
    /// </summary>
    void Close();

    /// <summary>
    /// <see cref="ReplicaActionKind.SendPages"/>: writes the pages that have changed since a transaction, as readers
    /// see them, in any number of pieces; the other side takes what it reads until the stream ends.
    /// </summary>
    /// <param name="since">The transaction; 0: all pages.</param>
    /// <param name="target">Takes the bytes; stays the caller's.</param>
    /// <param name="cancellation">Ends it.</param>
    Task SendPagesAsync(long since, Stream target, CancellationToken cancellation);

    /// <summary>
    /// <see cref="ReplicaActionKind.Copy"/>: closes the files and takes pages until the stream ends. If it fails in any
    /// way, <see cref="Scan"/> says what there is then.
    /// </summary>
    /// <param name="since">The transaction of the action; 0: all pages.</param>
    /// <param name="keepsOld">The flag of the action: what is there is kept aside.</param>
    /// <param name="source">Gives what <see cref="SendPagesAsync"/> wrote.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>What there is now, for <see cref="ReplicaCore.Copied"/>.</returns>
    Task<ReplicaStart> TakePagesAsync(long since, bool keepsOld, Stream source, CancellationToken cancellation);
}
