using System.Runtime.CompilerServices;

namespace FastTests.Architecture;

/// <summary>The repository's own files, parsed once for all tests of this folder.</summary>
internal static class SourceTree
{
    private static readonly string[] Rooms = ["src", "tests", "tools", "samples"];

    /// <summary>The folder that holds Raven.sln.</summary>
    internal static string Root { get; } = FindRoot();

    private static readonly Lazy<IReadOnlyList<SourceFile>> Parsed = new(() => [.. Find("*.cs").AsParallel().AsOrdered()
        .Select(path => new SourceFile(path, File.ReadAllText(Path.Combine(Root, path))))]);

    /// <summary>Every C# file of ours, with paths relative to <see cref="Root"/> and '/' between folders.</summary>
    internal static IReadOnlyList<SourceFile> Files => Parsed.Value;

    /// <summary>Files that people wrote and that match the pattern, without what builds leave behind.</summary>
    internal static IEnumerable<string> Find(string pattern) =>
        Rooms.Select(room => Path.Combine(Root, room)).Where(Directory.Exists)
            .SelectMany(room => Directory.EnumerateFiles(room, pattern, SearchOption.AllDirectories))
            .Select(path => Path.GetRelativePath(Root, path).Replace('\\', '/'))
            .Where(path => !path.Split('/').Any(part => part is "obj" or "bin" or "node_modules" or "artifacts"))
            .Order(StringComparer.Ordinal);

    private static string FindRoot([CallerFilePath] string here = "")
    {
        foreach (string start in new[] { Path.GetDirectoryName(here)!, AppContext.BaseDirectory })
        {
            for (DirectoryInfo? folder = new(start); folder is not null; folder = folder.Parent)
            {
                if (File.Exists(Path.Combine(folder.FullName, "Raven.sln")))
                {
                    return folder.FullName;
                }
            }
        }

        throw new InvalidOperationException("These tests read the repository's files: run them inside a checkout.");
    }
}
