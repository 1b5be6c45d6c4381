using Raven.Cluster.Replication;
using Raven.Storage.Files;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace Raven.Tools.Stress.Cluster;

/// <summary>The database of a simulated node: an environment with small journals, which flushes often.</summary>
internal sealed class SimulatedDatabase(IFileSystem disk, TimeProvider clock, long flushAfter) : IReplicaDatabase
{
    /// <summary>What storage does in the background, when the simulation lets it.</summary>
    internal ManualScheduler Scheduler { get; } = new();

    internal StorageEnvironment? Environment { get; private set; }

    public StorageOptions Options() => new()
    {
        FileSystem = disk,
        Clock = clock,
        Scheduler = Scheduler,
        NewEnvironmentId = SimulatedWorld.EnvironmentId,
        JournalSizeBytesMin = 32 << 10,
        JournalSizeBytesMax = 128 << 10,
        FlushAfterBytes = flushAfter,
    };

    public StorageEnvironment Open(long recoverUpTo, ICommitGate gate)
    {
        Environment = StorageEnvironment.Open(Options() with { RecoverUpTo = recoverUpTo });
        Environment.AttachGate(gate);
        return Environment;
    }

    public void Close()
    {
        Environment?.Dispose();
        Environment = null;
    }

    public void Published(LogPosition position)
    {
    }

    public ValueTask OpenEpochAsync(long epoch, ulong lineage) => ValueTask.CompletedTask;

    public void StepDown()
    {
    }

    public void TakeWrites()
    {
    }

    public void Serve()
    {
    }

    public void StopServing()
    {
    }

    public Exception NotPrimary() => new SimulationException("a write comes to a node that is not the primary");
}
