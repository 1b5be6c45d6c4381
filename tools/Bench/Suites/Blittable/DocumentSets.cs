using System.Formats.Tar;
using System.IO.Compression;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// Finds and reads the document sets: the committed samples, and the real sets if the data folder is given.
/// </summary>
internal static class DocumentSets
{
    internal const string TateArtworks = "tate-artworks";
    internal const string Zips = "zips";
    internal const string Movies = "wikipedia-movies";
    private const string Extension = ".ndjson.gz";
    private const string Corpus = "json-corpus.tar.gz";

    /// <summary>The sets of many documents, in the order of the table.</summary>
    internal static IReadOnlyList<string> Names { get; } =
        [TateArtworks, "tate-artists", "mdn-compat", "wordnet", Movies, Zips, "northwind", "lastfm"];

    /// <summary>Why a set is not measured.</summary>
    internal const string Missing = "not in the data folder; give one by --data or DEV_BENCH_DATA";

    /// <summary>Whether the filter may let a row through, asked before a set is read.</summary>
    /// <param name="context">Knows the filter.</param>
    /// <param name="rows">The words that the names of the suite's rows start with.</param>
    /// <param name="set">The name of the set.</param>
    internal static bool AreWanted(BenchContext context, string rows, string set) =>
        context.Wants(rows) || context.Wants(set) || context.Filter!.Contains(set, StringComparison.OrdinalIgnoreCase);

    /// <summary>The committed samples, which every checkout has.</summary>
    internal static DocumentSet? TryLoadSample(string name)
    {
        string path = Path.Combine(AppContext.BaseDirectory, "samples", name + Extension);
        return File.Exists(path) ? FromLines("sample of " + name, Unpack(path), int.MaxValue) : null;
    }

    /// <summary>A set of the data folder, or null if it is not there.</summary>
    /// <param name="context">Knows the folder.</param>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <param name="countMax">Documents to read at most.</param>
    internal static DocumentSet? TryLoad(BenchContext context, string name, int countMax)
    {
        return context.TryGetDataFile(name + Extension, out string path)
            ? FromLines(name, Unpack(path), countMax)
            : null;
    }

    /// <summary>The single large documents that parsers are usually compared by.</summary>
    internal static IEnumerable<DocumentSet> LoadCorpus(BenchContext context)
    {
        if (!context.TryGetDataFile(Corpus, out string path))
        {
            yield break;
        }

        using GZipStream unpacked = new(File.OpenRead(path), CompressionMode.Decompress);
        using TarReader reader = new(unpacked);
        while (reader.GetNextEntry() is { } entry)
        {
            if (entry.DataStream is null || !entry.Name.EndsWith(".json", StringComparison.Ordinal))
            {
                continue;
            }

            byte[] text = new byte[entry.Length];
            entry.DataStream.ReadExactly(text);
            yield return new DocumentSet(Path.GetFileNameWithoutExtension(entry.Name), text, [(0, text.Length)]);
        }
    }

    private static byte[] Unpack(string path)
    {
        using GZipStream unpacked = new(File.OpenRead(path), CompressionMode.Decompress);
        using MemoryStream text = new();
        unpacked.CopyTo(text);
        return text.ToArray();
    }

    private static DocumentSet FromLines(string name, byte[] text, int countMax)
    {
        List<(int Start, int Length)> lines = [];
        int start = 0;
        while (start < text.Length && lines.Count < countMax)
        {
            int length = text.AsSpan(start).IndexOf((byte)'\n');
            length = length < 0 ? text.Length - start : length;
            if (length > 0)
            {
                lines.Add((start, length));
            }

            start += length + 1;
        }

        return new DocumentSet(name, text, lines);
    }
}
