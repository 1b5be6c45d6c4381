namespace Raven.Server.Setup;

/// <summary>Files that their owner alone may read. None that exists is written to.</summary>
internal static class OwnerFiles
{
    private const UnixFileMode OwnFolder =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    private const UnixFileMode OwnFile = UnixFileMode.UserRead | UnixFileMode.UserWrite;

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
        var options = new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.Write,
            Share = FileShare.None,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OwnFile;
        }

        using var file = new FileStream(path, options);
        file.Write(content);
        file.Flush(flushToDisk: true);
    }
}
