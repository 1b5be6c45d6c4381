using Raven.Blittable.Memory;
using Raven.Cluster.Replication;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>A database of one tree in a real environment on a simulated disk, which outlives it.</summary>
internal sealed class HostedDatabase(SimulatedFileSystem disk) : IReplicaDatabase
{
    private const string Tree = "values";

    private readonly Lock _lock = new();

    internal StorageEnvironment? Environment { get; private set; }

    internal bool IsServing { get; private set; }

    public StorageOptions Options() => new()
    {
        FileSystem = disk,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 128 << 10,
    };

    public StorageEnvironment Open(long recoverUpTo, ICommitGate gate)
    {
        StorageEnvironment environment = StorageEnvironment.Open(Options() with { RecoverUpTo = recoverUpTo });
        environment.AttachGate(gate);
        lock (_lock)
        {
            Environment = environment;
        }

        return environment;
    }

    public void Close()
    {
        StorageEnvironment? environment;
        lock (_lock)
        {
            (environment, Environment) = (Environment, null);
        }

        environment?.Dispose();
    }

    public void Published(LogPosition position)
    {
    }

    public async ValueTask OpenEpochAsync(long epoch, ulong lineage) =>
        await Task.Run(() => Put("epoch", [(byte)epoch]));

    public void StepDown()
    {
    }

    public void TakeWrites()
    {
    }

    public void Serve() => IsServing = true;

    public void StopServing() => IsServing = false;

    public Exception NotPrimary() => new UnauthorizedAccessException("This node is not the primary.");

    /// <summary>A client writes, and is told when that is committed.</summary>
    internal Task WriteAsync(string key, byte[] value) => Task.Run(() => Put(key, value));

    /// <summary>What readers see; null if there is none, or the files are closed.</summary>
    internal byte[]? Read(string key)
    {
        lock (_lock)
        {
            using ReadTransaction? transaction = Environment?.BeginRead();
            return transaction?.TryOpenTree(Tree) is { } tree && tree.TryGet(KeyOf(key), out NativeSlice value)
                ? value.Span.ToArray()
                : null;
        }
    }

    private static byte[] KeyOf(string key) => System.Text.Encoding.UTF8.GetBytes(key);

    private void Put(string key, byte[] value)
    {
        StorageEnvironment environment = Environment ?? throw NotPrimary();
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree(Tree).Put(KeyOf(key), value);
        transaction.Commit();
    }
}
