using System.IO.Enumeration;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Documents;

/// <summary>Folders of the operating system, below one root.</summary>
public sealed class DatabaseFolders : IDatabaseFolders
{
    private const string Below = "Indexes";

    private readonly string _root;

    /// <summary>Takes the root, and creates it if it is missing.</summary>
    /// <param name="root">A full path.</param>
    public DatabaseFolders(string root)
    {
        _root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(root));
        Directory.CreateDirectory(_root);
    }

    /// <inheritdoc/>
    public bool Exists(string folder) => Directory.Exists(PathOf(folder));

    /// <inheritdoc/>
    public IFileSystem Open(string folder)
    {
        string path = PathOf(folder);
        if (!Directory.Exists(path))
        {
            Directory.CreateDirectory(path);
            new RealFileSystem(_root).SyncDirectory();
        }

        return new RealFileSystem(path);
    }

    /// <inheritdoc/>
    public IDatabaseFolders Within(string folder) => new DatabaseFolders(Path.Combine(PathOf(folder), Below));

    /// <inheritdoc/>
    public IReadOnlyList<string> List() =>
        [.. Directory.EnumerateDirectories(_root).Select(path => Path.GetFileName(path)!)];

    /// <inheritdoc/>
    public long SizeOf(string folder)
    {
        var files = new EnumerationOptions
        {
            RecurseSubdirectories = true,
            IgnoreInaccessible = true,
            AttributesToSkip = FileAttributes.ReparsePoint,
        };
        try
        {
            return new FileSystemEnumerable<long>(PathOf(folder), static (ref FileSystemEntry one) => one.Length, files)
            {
                ShouldIncludePredicate = static (ref FileSystemEntry one) => !one.IsDirectory,
            }.Sum();
        }
        catch (DirectoryNotFoundException)
        {
            // It was never opened, or is being deleted.
            return 0;
        }
    }

    /// <inheritdoc/>
    public void Delete(string folder)
    {
        string path = PathOf(folder);
        if (Directory.Exists(path))
        {
            // A link in it is removed, not followed.
            Directory.Delete(path, recursive: true);
            new RealFileSystem(_root).SyncDirectory();
        }
    }

    /// <summary>The path of a folder, which lies right below the root whatever the name is; other names
    /// are refused.</summary>
    private string PathOf(string folder)
    {
        string path = Path.GetFullPath(Path.Combine(_root, folder));
        if (folder.Length == 0 || Path.GetDirectoryName(path) != _root || Path.GetFileName(path) != folder)
        {
            throw new ArgumentException($"'{folder}' is not the name of a folder.", nameof(folder));
        }

        return path;
    }
}
