using Raven.Documents;
using Raven.Storage.Files;
using Shared.Storage;

namespace FastTests.Backups;

/// <summary>Folders on simulated disks, one each, which a test may make fail.</summary>
internal sealed class SimulatedFolders : IDatabaseFolders, IDisposable
{
    private readonly Dictionary<string, SimulatedFileSystem> _disks = [];

    /// <summary>What the files of a folder go through.</summary>
    internal Func<IFileSystem, IFileSystem> Wrap { get; set; } = files => files;

    internal SimulatedFileSystem this[string folder] => _disks[folder];

    /// <summary>Why a folder cannot be deleted; null if it can.</summary>
    internal Exception? Deletion { get; set; }

    public bool Exists(string folder) => _disks.ContainsKey(folder);

    public IFileSystem Open(string folder)
    {
        if (!_disks.TryGetValue(folder, out SimulatedFileSystem? disk))
        {
            _disks[folder] = disk = new SimulatedFileSystem();
        }

        return Wrap(disk);
    }

    public IDatabaseFolders Within(string folder) => throw new NotSupportedException();

    public IReadOnlyList<string> List() => [.. _disks.Keys];

    public void Delete(string folder)
    {
        if (Deletion is not null)
        {
            throw Deletion;
        }

        if (_disks.Remove(folder, out SimulatedFileSystem? disk))
        {
            disk.Dispose();
        }
    }

    public void Dispose()
    {
        foreach (SimulatedFileSystem disk in _disks.Values)
        {
            disk.Dispose();
        }
    }
}
