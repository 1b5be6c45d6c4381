using Raven.Cluster.Replication;
using Raven.Storage.Files;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace Shared.Cluster;

/// <summary>A database of nothing but an environment, and what replication has asked of it.</summary>
internal sealed class ReplicaTestDatabase(IFileSystem disk) : IReplicaDatabase
{
    private readonly ManualScheduler _scheduler = new();

    /// <summary>Null while it is closed.</summary>
    internal StorageEnvironment? Environment { get; private set; }

    /// <summary>The last transaction of which it was told.</summary>
    internal LogPosition Seen { get; private set; }

    internal bool TakesWrites { get; private set; }

    internal bool IsServing { get; private set; }

    public StorageOptions Options() => new()
    {
        FileSystem = disk,
        Scheduler = _scheduler,
        JournalSizeBytesMin = 32 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };

    public StorageEnvironment Open(long recoverUpTo, ICommitGate gate)
    {
        Environment = StorageEnvironment.Open(Options() with { RecoverUpTo = recoverUpTo });
        Environment.AttachGate(gate);
        return Environment;
    }

    public void Close()
    {
        TakesWrites = false;
        Environment?.Dispose();
        Environment = null;
    }

    public void Published(LogPosition position) => Seen = position;

    public ValueTask OpenEpochAsync(long epoch, ulong lineage)
    {
        Put("epochs", [(byte)epoch], new byte[8]);
        TakesWrites = true;
        return ValueTask.CompletedTask;
    }

    public void StepDown() => TakesWrites = false;

    public void TakeWrites() => TakesWrites = true;

    public void Serve() => IsServing = true;

    public void StopServing() => IsServing = false;

    public Exception NotPrimary() => new UnauthorizedAccessException("This node is not the primary.");

    /// <summary>Writes one value, on this thread.</summary>
    internal void Put(string tree, byte[] key, byte[] value)
    {
        using WriteTransaction transaction = Environment!.BeginWrite();
        transaction.OpenOrCreateTree(tree).Put(key, value);
        transaction.Commit();
    }

    /// <summary>Runs what was left for the background.</summary>
    internal void RunBackground() => _scheduler.RunAll();
}
