using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>
/// The bytes of indexes, fixed in <c>segments-1.txt</c> and <c>segments-2.txt</c> (which has vectors) of the versions
/// that cut long texts, and <c>segments-3.txt</c>, and what damage of them comes to. If a golden test fails, existing
/// indexes can no longer be read: make a new version, so that they are rebuilt.
/// </summary>
public sealed class SegmentGoldenTests
{
    private const int BytesPerLine = 48;

    private static readonly string[] Trees = ["meta", "segments", "content"];

    private static string GoldenFile(int version) =>
        Path.Combine(Path.GetDirectoryName(ThisFile())!, $"segments-{version}.txt");

    [Fact]
    public void Dictionary_postings_positions_columns_vectors_and_stored_bytes_have_exactly_these_bytes()
    {
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk);
        Fill(index);
        FillVectors(index);
        string dump = Dump(index);
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(GoldenFile(3), dump);
        }

        Assert.True(File.ReadAllText(GoldenFile(3)).ReplaceLineEndings("\n") == dump, "They are others now.");
    }

    [Fact]
    [Trait("Fault", "D1")]
    public void An_index_that_cut_long_texts_still_cuts_them_and_refuses_conditions_on_what_was_cut()
    {
        using SimulatedFileSystem disk = new();
        Load(disk, 1);
        using SearchIndex index = Open(disk);
        using (IndexBatch batch = index.BeginBatch())
        {
            batch.BeginEntry("d/new"u8);
            batch.Add(
                batch.GetOrAddField("Name", FieldKind.Exact, Analyzers.LowerCaseKeyword),
                Encoding.UTF8.GetBytes(new string('x', 1200) + "y"));
            batch.EndEntry();
            batch.Commit("at 8"u8);
        }

        using IndexReader reader = index.BeginRead();
        SearchQuery query = new();
        IndexSearcher searcher = new();
        Assert.Equal(3, Count(query.Equal("Name", query.Value(new string('X', 1200)))));
        Assert.Equal(1, Count(query.Equal("Name", query.Value(new string('x', 1200) + "y"))));
        Assert.Equal(4, Count(query.StartsWith("Name", query.Value("xxx"))));
        Assert.Contains("Reset the index", Assert.Throws<SearchIndexException>(
            () => Count(query.EndsWith("Name", query.Value("xy")))).Message, StringComparison.Ordinal);
        Assert.Throws<SearchIndexException>(() => Count(query.Regex("Name", "y$")));
        Assert.Throws<SearchIndexException>(() => Count(query.StartsWith("Name", query.Value(new string('x', 1100)))));
        int bound = query.Value(new string('x', 1100));
        Assert.Throws<SearchIndexException>(
            () => Count(query.Range("Name", bound, true, SearchQuery.Unbounded, false)));

        int Count(int root)
        {
            searcher.Run(reader, query, root, new SearchRequest());
            return (int)searcher.TotalCount;
        }
    }

    [Fact]
    public void An_index_of_version_2_is_read_searched_and_merged()
    {
        using SimulatedFileSystem disk = new();
        Load(disk, 2);
        using SearchIndex index = Open(disk);
        Assert.Equal(3, index.Fields.Single(field => field.Name == "Single").Dimensions);
        for (int round = 0; round < 2; round++)
        {
            Assert.Equal(["v/1", "v/3", "v/11"], Nearest("Single", query => query.Vector([1, 1, 0.1f])));
            Assert.Equal(["v/3", "v/1", "v/9"], Nearest("Int8", query => query.Vector([-1, 1, 3])));
            Assert.Equal("v/1", Nearest("Binary", query => query.VectorOfBits([0b10100000, 0xFF]))[0]);
            Assert.Equal(round == 0, index.MergeAll());
        }

        string[] Nearest(string field, Func<SearchQuery, int> vector)
        {
            SearchQuery query = new();
            SearchRequest request = new() { Orders = { new OrderKey(OrderKind.Score, "", true, false, 0) } };
            IndexSearcher searcher = new();
            using IndexReader reader = index.BeginRead();
            searcher.Run(reader, query, query.Nearest(field, vector(query), 1, 0, 3), request);
            return
            [
                .. Enumerable.Range(0, searcher.Count).Select(i => Encoding.UTF8.GetString(searcher.DocumentId(i))),
            ];
        }
    }

    [Fact]
    public void An_index_of_version_1_is_read_searched_and_merged()
    {
        using SimulatedFileSystem disk = new();
        Load(disk, 1);
        using SimulatedFileSystem freshDisk = new();
        using SearchIndex fresh = Open(freshDisk);
        Fill(fresh);
        using SearchIndex index = Open(disk);
        Assert.Equal("at 7"u8.ToArray(), index.ReadPosition());
        string expected = TextOf(fresh).Replace(new string('x', 1200), "...", StringComparison.Ordinal);
        Assert.Equal(expected, Shortened(TextOf(index)));
        Assert.True(index.MergeAll());
        Assert.Equal(expected, Shortened(TextOf(index)));

        // The term of the long text ends in a hash.
        static string Shortened(string text) =>
            System.Text.RegularExpressions.Regex.Replace(text, "x{1000}[^']*'", "...'");
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void Damage_of_an_index_is_reported_or_harmless(SearchEngineType engine)
    {
        IndexDamage damage = new(1, engine);
        damage.Run(40);
        Assert.True(damage.ReportedCount > 5, $"only {damage.ReportedCount} were reported");
    }

    /// <summary>Vectors of all formats; none, one and several of an entry; two segments, a deleted entry.</summary>
    private static void FillVectors(SearchIndex index)
    {
        for (int half = 0; half < 2; half++)
        {
            using IndexBatch batch = index.BeginBatch();
            IndexField single = batch.GetOrAddVectors("Single", VectorFormat.Single, 0);
            IndexField bytes = batch.GetOrAddVectors("Int8", VectorFormat.Int8, 3);
            IndexField bits = batch.GetOrAddVectors("Binary", VectorFormat.Binary, 0);
            IndexField empty = batch.GetOrAddVectors("None", VectorFormat.Single, 0);
            Assert.Equal(0, empty.Dimensions);
            batch.Delete("v/2"u8);
            for (int i = half * 8; i < (half * 8) + 4; i++)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"v/{i}")));
                for (int j = 0; j < i % 4; j++)
                {
                    batch.AddVector(single, [1, i - (4 * j), 0.5f]);
                    batch.AddVector(bytes, [-i, 4 - j, 8]);
                    batch.AddVectorOfBits(bits, [(byte)(0x90 + (i * 16)), (byte)(0xFF >> j)]);
                }

                batch.EndEntry();
            }

            batch.Commit("v"u8);
        }
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

    private static void Load(SimulatedFileSystem disk, int version)
    {
        using StorageEnvironment environment = StorageEnvironment.Open(Storage(disk));
        using WriteTransaction transaction = environment.BeginWrite();
        string[] lines = File.ReadAllLines(GoldenFile(version));
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
