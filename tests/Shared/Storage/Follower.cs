using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>An environment on a disk of its own that takes over what another one commits.</summary>
internal sealed class Follower : IDisposable
{
    private readonly ManualScheduler _scheduler = new();
    private readonly Random _random;
    private readonly long _flushAfter;
    private LogApplier _applier;

    internal Follower(int seed, SimulatedFileSystem? disk = null)
    {
        _random = new Random(seed);
        _flushAfter = _random.Next(8, 160) << 10;
        Disk = disk ?? new SimulatedFileSystem();
        Environment = StorageEnvironment.Open(Options(Disk));
        _applier = new LogApplier(Environment);
    }

    internal SimulatedFileSystem Disk { get; }

    internal StorageEnvironment Environment { get; private set; }

    /// <summary>As it opens its folder, or an image of it.</summary>
    internal StorageOptions Options(IFileSystem disk) => new()
    {
        FileSystem = disk,
        Clock = Disk.Clock,
        Scheduler = _scheduler,
        NewEnvironmentId = 0x5EED,
        JournalSizeBytesMin = 32 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = _flushAfter,
        JournalCompression = JournalCompression.Always,
    };

    internal void Apply(byte[] record) => _applier.Apply(record);

    internal bool Publish(long transactionId) => _applier.Publish(transactionId);

    /// <summary>Now and then what goes on beside: a flush, background work, a new open.</summary>
    internal void DoBeside()
    {
        switch (_random.Next(24))
        {
            case 0:
                Reopen();
                break;
            case < 3:
                Environment.Flush();
                break;
            case < 7:
                _scheduler.RunAll();
                break;
        }
    }

    internal void Reopen(long? upTo = null)
    {
        _applier.Dispose();
        Environment.Dispose();
        Environment = StorageEnvironment.Open(Options(Disk) with { RecoverUpTo = upTo });
        _applier = new LogApplier(Environment);
    }

    public void Dispose()
    {
        _applier.Dispose();
        Environment.Dispose();
        Disk.Dispose();
    }
}
