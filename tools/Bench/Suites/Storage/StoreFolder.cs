using Raven.Storage;
using Raven.Storage.Files;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>A folder of one run: deleted, with all that is in it, when the run ends.</summary>
internal sealed class StoreFolder(string path) : IDisposable
{
    internal string Path { get; } = path;

    /// <summary>Options for an environment of ours in it.</summary>
    internal StorageOptions Options => new() { FileSystem = new RealFileSystem(Path) };

    /// <summary>The same on a disk whose journal takes longer.</summary>
    internal StorageOptions SlowOptions(TimeSpan delay) =>
        Options with { FileSystem = new SlowFileSystem(new RealFileSystem(Path), delay) };

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
