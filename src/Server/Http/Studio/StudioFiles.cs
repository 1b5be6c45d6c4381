using System.IO.Hashing;
using System.Reflection;
using System.Text;

namespace Raven.Server.Http.Studio;

/// <summary>
/// The files of the Studio: embedded in this assembly (<c>src/Studio/dist</c>), or those of a folder, which are read
/// each time so that whoever works on them sees the last state. Safe for all threads.
/// </summary>
internal sealed class StudioFiles
{
    /// <summary>The page that all places of the Studio begin with.</summary>
    internal const string IndexName = "index.html";

    /// <summary>Where files have the hash in their path; what follows it is the path of a file.</summary>
    internal const string AssetsPath = "/studio/a/";

    private const string ResourcePrefix = "studio/";
    private const string HashOfFolder = "folder";

    private readonly string? _folder;
    private readonly Dictionary<string, StudioFile> _files = [];
    private readonly Lazy<string> _hash;

    private StudioFiles(IEnumerable<(string Path, Func<byte[]> Read)> files)
    {
        foreach ((string path, Func<byte[]> read) in files)
        {
            _files.Add(path, new StudioFile(path, read));
        }

        _hash = new Lazy<string>(ComputeHash);
    }

    private StudioFiles(string folder)
    {
        _folder = folder;
        _hash = new Lazy<string>(HashOfFolder);
    }

    /// <summary>Those that are embedded in this build.</summary>
    internal static StudioFiles Embedded { get; } = new(EmbeddedFiles());

    /// <summary>Whether they may change, so that no browser keeps them.</summary>
    internal bool MayChange => _folder is not null;

    /// <summary>What tells this set of files from others: it is in their paths.</summary>
    internal string Hash => _hash.Value;

    /// <summary>Whether there is a Studio at all.</summary>
    internal bool IsEmpty => Find(IndexName) is null;

    /// <summary>The url of the server with that of the Studio, if there is one. Scripts take the first word.</summary>
    internal string AddressesOf(string url) => IsEmpty ? url : $"{url} (Studio: {url}/studio/)";

    /// <summary>Those of a folder.</summary>
    internal static StudioFiles OfFolder(string folder) => new(folder);

    /// <summary>Some that are in memory.</summary>
    internal static StudioFiles Of(params (string Path, byte[] Bytes)[] files) =>
        new(files.Select(file => (file.Path, new Func<byte[]>(() => file.Bytes))));

    /// <summary>Finds a file by its path, with <c>/</c> between folders.</summary>
    internal StudioFile? Find(string path) =>
        _folder is null ? _files.GetValueOrDefault(path) : FindInFolder(_folder, path);

    private static IEnumerable<(string Path, Func<byte[]> Read)> EmbeddedFiles()
    {
        Assembly assembly = typeof(StudioFiles).Assembly;
        return assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(ResourcePrefix, StringComparison.Ordinal))
            .Select(name => (
                name[ResourcePrefix.Length..].Replace('\\', '/'), new Func<byte[]>(() => Read(assembly, name))));
    }

    private static StudioFile? FindInFolder(string folder, string path)
    {
        // Each part is a plain name: nothing outside of the folder has such a path.
        string[] parts = path.Split('/');
        if (!Array.TrueForAll(parts, part => part.Length > 0 && part[0] != '.' && part.All(IsPlain)))
        {
            return null;
        }

        string file = Path.Combine([folder, .. parts]);
        return File.Exists(file) ? new StudioFile(path, () => File.ReadAllBytes(file)) : null;
    }

    private static bool IsPlain(char one) => char.IsAsciiLetterOrDigit(one) || one is '.' or '-' or '_' or '@' or '+';

    private static byte[] Read(Assembly assembly, string resource)
    {
        using Stream stream = assembly.GetManifestResourceStream(resource)!;
        byte[] bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }

    private string ComputeHash()
    {
        var hash = new XxHash128();
        foreach ((string path, StudioFile file) in _files.OrderBy(file => file.Key, StringComparer.Ordinal))
        {
            hash.Append(Encoding.UTF8.GetBytes($"{path}\n{file.Bytes.Length}\n"));
            hash.Append(file.Bytes);
        }

        return Convert.ToHexStringLower(hash.GetCurrentHash())[..16];
    }
}
