using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>The files of one simulated node: a journal and pages. What was written whole survives a crash.</summary>
internal interface IReplicaLog : IDisposable
{
    /// <summary>The last record whose write is done.</summary>
    LogPosition Durable { get; }

    /// <summary>The pages that readers see, as one number.</summary>
    ulong PagesHash { get; }

    /// <summary>What readers see.</summary>
    LogPosition Visible { get; }

    /// <summary>What the journal has. The files are closed for it; what is in flight is lost.</summary>
    ReplicaStart Scan();

    /// <summary>Opens the files as of a transaction and drops what follows it.</summary>
    void Recover(long transactionId);

    /// <summary>A new epoch of this node, which leads.</summary>
    void Lead(long epoch, ulong lineage);

    /// <summary>This node leads no more.</summary>
    void StepDown();

    /// <summary>Makes a record of the primary's own behind the last one, and begins to write it.</summary>
    SimulatedRecord Write(int page, long value, long epoch);

    /// <summary>Begins to write a record of the primary; it is durable when <see cref="EndWrite"/> is called.</summary>
    void Apply(ulong lineage, SimulatedRecord record);

    /// <summary>The write that was begun is done.</summary>
    void EndWrite();

    /// <summary>Readers see a transaction.</summary>
    void Publish(long transactionId);

    /// <summary>The records up to a transaction are not needed any more.</summary>
    void Trim(long transactionId);

    /// <summary>The power is cut: a write that is not done is there or not.</summary>
    void Crash(bool isWritten);

    /// <summary>The files are gone; the node's process is not running.</summary>
    void Lose();

    /// <summary>True if what survives a crash has this point in its history.</summary>
    bool Has(LogPosition point);

    /// <summary>A record that is kept, to be shipped.</summary>
    SimulatedRecord? Find(LogPosition point);

    /// <summary>The pages that have changed since a transaction, as readers see them.</summary>
    SimulatedPages CopyPages(long since);

    /// <summary>Takes pages; the files are closed then. A copy that is not finished leaves what can only be
    /// copied.</summary>
    void TakePages(SimulatedPages pages, bool isFinished);
}
