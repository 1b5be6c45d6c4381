using Raven.Security.Files;

namespace Raven.Server.Setup;

/// <summary>Files that their owner alone may read. None that exists is written to.</summary>
internal static class OwnerFiles
{
    private const UnixFileMode OwnFolder = OwnerOnly.Mode | UnixFileMode.UserExecute;

    /// <summary>Makes a folder; one that is there stays as it is.</summary>
    internal static void MakeFolder(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, OwnFolder);
        }
    }

    /// <summary>Makes a file; it is on the disk when this returns.</summary>
    /// <exception cref="IOException">It exists, or cannot be written.</exception>
    internal static void Write(string path, ReadOnlySpan<byte> content)
    {
        using var file = new FileStream(path, new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            Share = FileShare.None,
        }.ForOwner());
        file.Write(content);
        file.Flush(flushToDisk: true);
    }
}
