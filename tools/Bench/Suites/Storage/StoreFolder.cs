using System.Diagnostics;
using System.Globalization;
using Raven.Storage.Options;
using Raven.Storage.Platform;

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

    /// <summary>What a file of it takes of the disk, as <c>du</c> counts.</summary>
    internal long BytesOnDisk(string name)
    {
        var start = new ProcessStartInfo("du", ["--block-size=1", System.IO.Path.Combine(Path, name)])
        {
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("du did not start");
        string line = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return long.Parse(line.Split('\t')[0], CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
