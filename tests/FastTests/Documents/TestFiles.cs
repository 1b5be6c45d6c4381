using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Storage.Files;

namespace FastTests.Documents;

/// <summary>A folder for the files of test databases, gone with the test.</summary>
internal sealed class TestFiles : IDatabaseFolders, IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("raven-documents-").FullName;
    private readonly DatabaseFolders _folders;

    internal TestFiles() => _folders = new DatabaseFolders(_root);

    /// <summary>Called before a folder is deleted; may throw, as a disk may.</summary>
    internal Action<string> OnDelete { get; set; } = _ => { };

    /// <summary>The files of the catalog, if a test makes them fail; null for the plain ones.</summary>
    internal Func<IFileSystem, IFileSystem>? Catalog { get; set; }

    /// <summary>The names of all folders.</summary>
    internal string[] Names =>
        [.. Directory.EnumerateDirectories(_root).Select(path => Path.GetFileName(path)).Order()];

    /// <summary>The files as they are on disk now: what is there after a crash.</summary>
    internal TestFiles Copy()
    {
        var copy = new TestFiles();
        foreach (string folder in Names)
        {
            Directory.CreateDirectory(Path.Combine(copy._root, folder));
            foreach (string file in Directory.EnumerateFiles(Path.Combine(_root, folder)))
            {
                if (Path.GetExtension(file) == ".lock")
                {
                    continue;
                }

                File.Copy(file, Path.Combine(copy._root, folder, Path.GetFileName(file)));
            }
        }

        return copy;
    }

    public bool Exists(string folder) => _folders.Exists(folder);

    public IFileSystem Open(string folder) => folder == DatabaseCatalog.CatalogFolder && Catalog is { } wrap
        ? wrap(_folders.Open(folder))
        : _folders.Open(folder);

    public IDatabaseFolders Within(string folder) => _folders.Within(folder);

    public IReadOnlyList<string> List() => _folders.List();

    public void Delete(string folder)
    {
        OnDelete(folder);
        _folders.Delete(folder);
    }

    public void Dispose()
    {
        try
        {
            Directory.Delete(_root, recursive: true);
        }
        catch (DirectoryNotFoundException)
        {
            // An index whose place another one took was removing its folder at the same time.
            Directory.Delete(_root, recursive: true);
        }
    }
}
