using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>
/// A folder of a simulated disk, whose files have its name before theirs. It is there from the start; what files it has
/// is durable when this folder was synced, and no other.
/// </summary>
internal sealed class SimulatedFolder(SimulatedFileSystem disk, string name) : IFileSystem
{
    private readonly string _prefix = name + "/";

    public string Description => $"{disk.Description}, {name}";

    public bool Exists(string name) => disk.Exists(_prefix + name);

    public IReadOnlyList<string> List() =>
    [
        .. disk.List().Where(each => each.StartsWith(_prefix, StringComparison.Ordinal))
            .Select(each => each[_prefix.Length..]),
    ];

    public IFile Open(string name, FileOpenMode mode) => disk.Open(_prefix + name, mode);

    public void Rename(string from, string to) => disk.Rename(_prefix + from, _prefix + to);

    public void Delete(string name) => disk.Delete(_prefix + name);

    public void SyncDirectory() => disk.SyncDirectory(_prefix);
}
