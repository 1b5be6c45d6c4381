using Raven.Documents;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>The disk of the documents and one for each index, all in memory, that can be cut at any moment.</summary>
internal sealed class CrashDisks : IDatabaseFolders, IDisposable
{
    private readonly Dictionary<string, SimulatedFileSystem> _indexes = new(StringComparer.Ordinal);
    private readonly List<SimulatedFileSystem> _all = [];
    private readonly ManualScheduler _scheduler = new();
    private readonly bool _isLazy;

    /// <summary>Empty disks.</summary>
    /// <param name="isLazy">Whether the documents are synced only now and then, so that a tail may be lost that
    /// indexes have seen.</param>
    /// <param name="seed">What the databases on them draw begins here: no two may be the same.</param>
    internal CrashDisks(bool isLazy, int seed)
    {
        _isLazy = isLazy;
        Seed = seed;
        Documents = Add(new SimulatedFileSystem());
    }

    /// <summary>What is left of others after a power cut.</summary>
    internal CrashDisks(
        bool isLazy, int seed, DiskImage documents, IEnumerable<(string Folder, DiskImage Image)> indexes)
    {
        _isLazy = isLazy;
        Seed = seed;
        Documents = Add(new SimulatedFileSystem(documents));
        foreach ((string folder, DiskImage image) in indexes)
        {
            _indexes[folder] = Add(new SimulatedFileSystem(image));
        }
    }

    internal int Seed { get; }

    internal SimulatedFileSystem Documents { get; }

    internal IReadOnlyDictionary<string, SimulatedFileSystem> Indexes => _indexes;

    internal StorageOptions DocumentOptions() => Configure(new StorageOptions
    {
        FileSystem = Documents,
        Durability = _isLazy ? StorageDurability.Lazy : StorageDurability.Durable,
    });

    internal StorageOptions Configure(StorageOptions options) => options with
    {
        NewEnvironmentId = (ulong)Seed + 1,
        Scheduler = _scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };

    /// <summary>Writes what waits to its place in the data files.</summary>
    internal void Flush() => _scheduler.RunAll();

    public bool Exists(string folder) => _indexes.ContainsKey(folder);

    public IFileSystem Open(string folder)
    {
        if (!_indexes.TryGetValue(folder, out SimulatedFileSystem? disk))
        {
            _indexes[folder] = disk = Add(new SimulatedFileSystem());
        }

        return disk;
    }

    public IDatabaseFolders Within(string folder) => this;

    public IReadOnlyList<string> List() => [.. _indexes.Keys];

    public void Delete(string folder) => _indexes.Remove(folder);

    public void Dispose() => _all.ForEach(disk => disk.Dispose());

    private SimulatedFileSystem Add(SimulatedFileSystem disk)
    {
        _all.Add(disk);
        return disk;
    }
}
