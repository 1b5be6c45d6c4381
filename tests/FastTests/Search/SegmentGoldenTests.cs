using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Storage;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>
/// The bytes of indexes of version 1, fixed in <c>segments-1.txt</c>, and what damage of them comes to. If a golden
/// test fails, indexes that exist can no longer be read: make a new version, so that they are made anew.
/// </summary>
public sealed class SegmentGoldenTests
{
    private const int BytesPerLine = 48;

    private static readonly string[] Trees = ["meta", "segments", "content"];

    private static string GoldenFile => Path.Combine(Path.GetDirectoryName(ThisFile())!, "segments-1.txt");

    [Fact]
    public void Dictionary_postings_positions_columns_and_stored_bytes_have_exactly_these_bytes()
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk);
        Fill(index);
        string dump = Dump(index);
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(GoldenFile, dump);
        }

        Assert.True(File.ReadAllText(GoldenFile).ReplaceLineEndings("\n") == dump, "They are others now.");
    }

    [Fact]
    public void An_index_of_version_1_is_read_searched_and_merged()
    {
        using SimulatedFileSystem disk = new();
        Load(disk);
        using SimulatedFileSystem freshDisk = new();
        using SearchIndex fresh = Open(freshDisk);
        Fill(fresh);
        using SearchIndex index = Open(disk);
        Assert.Equal("at 7"u8.ToArray(), index.ReadPosition());
        Assert.Equal(TextOf(fresh), TextOf(index));
        Assert.True(index.MergeAll());
        Assert.Equal(TextOf(fresh), TextOf(index));
    }

    [Fact]
    public void Damage_of_an_index_is_reported_or_harmless()
    {
        IndexDamage damage = new(1);
        damage.Run(40);
        Assert.True(damage.ReportedCount > 5, $"only {damage.ReportedCount} were reported");
    }

    /// <summary>All kinds of fields and values; terms of one entry, of a block, of several; deleted entries.</summary>
    private static void Fill(SearchIndex index)
    {
        using (IndexBatch batch = index.BeginBatch())
        {
            IndexField name = batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword);
            IndexField tags = batch.GetOrAddField("Tags", FieldKind.Exact, Analyzers.Keyword);
            IndexField text = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.Standard);
            IndexField place = batch.GetOrAddField("Place", FieldKind.Exact, Analyzers.Keyword);
            for (int i = 0; i < 300; i++)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"d/{i}")));
                batch.Add(name, Encoding.UTF8.GetBytes($"NAME {i % 20}"));
                batch.Add(tags, (long)i * i);
                batch.Add(tags, i / 4.0);
                if (i % 3 == 0)
                {
                    string rest = i % 2 == 0 ? "jumps over the red" : "sleeps";
                    batch.Add(text, Encoding.UTF8.GetBytes($"red fox {rest}"));
                }

                if (i % 100 == 0)
                {
                    batch.AddNull(tags);
                    batch.Add(tags, i == 100);
                    batch.AddPoint(place, 48.2 + (i / 10), 16.3);
                    batch.AddShape(place, "POLYGON ((10 10, 12 10, 12 12, 10 10))");
                    batch.Add(name, Encoding.UTF8.GetBytes(new string('x', 1200)));
                    batch.Store(Encoding.UTF8.GetBytes($"stored {i}"));
                }

                batch.EndEntry();
            }

            batch.Commit("at 6"u8);
        }

        using IndexBatch second = index.BeginBatch();
        second.Delete("d/7"u8);
        second.Delete("d/299"u8);
        second.BeginEntry("d/7"u8);
        second.Add(second.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword), "again"u8);
        second.EndEntry();
        second.Commit("at 7"u8);
    }

    private static string TextOf(SearchIndex index)
    {
        using IndexReader reader = index.BeginRead();
        return IndexDump.Text(reader);
    }

    private static string Dump(SearchIndex index)
    {
        using ReadTransaction transaction = index.BeginReadStructures();
        var text = new StringBuilder();
        foreach (string name in Trees)
        {
            TreeCursor cursor = transaction.TryOpenTree(name)!.GetCursor();
            for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
            {
                text.Append(name).Append(' ').Append(Convert.ToHexString(cursor.Key)).Append('\n');
                Append(text, cursor.Value.Span);
            }
        }

        FixedTreeCursor deleted = transaction.TryOpenFixedTree("deleted"u8)!.GetCursor();
        for (bool isMore = deleted.SeekFirst(); isMore; isMore = deleted.MoveNext())
        {
            text.Append("deleted ").Append(deleted.Key.ToString("X16", CultureInfo.InvariantCulture)).Append('\n');
            Append(text, deleted.Value.Span);
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, ReadOnlySpan<byte> bytes)
    {
        for (int at = 0; at < bytes.Length; at += BytesPerLine)
        {
            text.Append("  ").Append(Convert.ToHexString(bytes.Slice(at, Math.Min(BytesPerLine, bytes.Length - at))))
                .Append('\n');
        }
    }

    private static void Load(SimulatedFileSystem disk)
    {
        using StorageEnvironment environment = StorageEnvironment.Open(Storage(disk));
        using WriteTransaction transaction = environment.BeginWrite();
        string[] lines = File.ReadAllLines(GoldenFile);
        for (int line = 0; line < lines.Length;)
        {
            string[] head = lines[line++].Split(' ');
            var hex = new StringBuilder();
            while (line < lines.Length && lines[line].StartsWith("  ", StringComparison.Ordinal))
            {
                hex.Append(lines[line++].AsSpan(2));
            }

            byte[] value = Convert.FromHexString(hex.ToString());
            if (head[0] == "deleted")
            {
                transaction.OpenOrCreateFixedTree("deleted"u8, value.Length).Put(
                    long.Parse(head[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture), value);
            }
            else
            {
                transaction.OpenOrCreateTree(head[0]).Put(Convert.FromHexString(head[1]), value);
            }
        }

        transaction.Commit();
    }

    private static SearchIndex Open(SimulatedFileSystem disk) =>
        SearchIndex.Open(new SearchIndexOptions { Storage = Storage(disk) });

    private static StorageOptions Storage(SimulatedFileSystem disk) =>
        new() { FileSystem = disk, Scheduler = new ManualScheduler() };

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
