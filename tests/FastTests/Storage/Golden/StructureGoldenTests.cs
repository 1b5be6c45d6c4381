using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Paging;
using Raven.Storage.Streams;
using Raven.Storage.Structures;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace FastTests.Storage.Golden;

/// <summary>
/// The bytes of format version 1 of trees, heaps, tables and streams, fixed in <c>structures-1.txt</c>. If a test here
/// fails, environments that exist can no longer be read: make a new version instead of a new golden file.
/// </summary>
public sealed class StructureGoldenTests
{
    private const int BytesPerLine = 32;

    private static readonly TableSchema Schema = new(
        3,
        TableKeyPart.Bytes(0),
        TableIndex.Number(1),
        TableIndex.Multi(TableKeyPart.Bytes(2), TableKeyPart.Int64(1)));

    private static string GoldenFile => Path.Combine(Folder(), "structures-1.txt");

    [Fact]
    public void Structures_have_exactly_these_bytes()
    {
        using var store = new MemoryPageStore();
        byte[] record = Build(store);
        string dump = Dump(store.Committed, record);
        Assert.True(File.ReadAllText(GoldenFile).ReplaceLineEndings("\n") == dump, $"They are now:\n{dump}");
    }

    [Fact]
    public void Structures_of_version_1_are_read()
    {
        using var pages = new GoldenPages();
        byte[] record = pages.Load(GoldenFile);
        CheckReport report = StructureCheck.Run(pages, record);
        Assert.Empty(report.Findings);
        var catalog = new Catalog();
        catalog.Begin(pages, record);
        Assert.True(catalog.TryOpenTree("tree")!.TryGet(Key(123), out NativeSlice value));
        Assert.Equal(Key(123), value.Span.ToArray());
        Assert.True(catalog.TryOpenTree("tree")!.TryGet("large"u8, out value));
        Assert.Equal(9_000, value.Length);
        Assert.True(catalog.TryOpenFixedTree("numbers")!.TryGet(-7, out long number));
        Assert.Equal(7, number);
        Assert.Equal(2, catalog.TryOpenFixedTree("wide")!.GetStatistics().Depth);
        Assert.True(catalog.TryOpenFixedTree("wide")!.Contains(69L * 1_000_000_007));
        Assert.Equal(2, catalog.TryOpenTree("tree")!.GetStatistics().Depth);
        Assert.Equal(3, catalog.TryOpenMultiTree("sets")!.CountOf("small"u8));
        Assert.Equal(60, catalog.TryOpenMultiTree("sets")!.CountOf("large"u8));
        byte[] bytes = new byte[10];
        Assert.Equal(6, catalog.TryOpenStreams("streams")!.Read("stream"u8, 2, bytes));
        Assert.Equal("llo, w"u8.ToArray(), bytes[..6]);
        Table table = catalog.TryOpenTable("table"u8, Schema)!;
        Assert.True(table.TryGet("row 1"u8, out TableRow row));
        Assert.Equal(-1, row.Int64(1));
        Assert.True(table.TryGet(1, 2, out row));
        Assert.Equal("row 2"u8.ToArray(), row[0].Span.ToArray());
    }

    [Fact]
    public void Numbers_on_disk_keep_their_meaning()
    {
        Assert.Equal(
            "None 0, Tree 1, FixedTree 2, MultiTree 3, RowHeap 4, Streams 5, Table 6",
            string.Join(", ", Enum.GetValues<StructureKind>().Select(kind => $"{kind} {(int)kind}")));
        Assert.Equal(
            "Unique 1, Multi 2, Number 3",
            string.Join(", ", Enum.GetValues<TableIndexKind>().Select(kind => $"{kind} {(int)kind}")));
        Assert.Equal(64, Unsafe.SizeOf<StructureRoot>());
        Assert.Equal(24, Unsafe.SizeOf<StreamInfo>());
    }

    private static byte[] Build(MemoryPageStore store)
    {
        using MemoryPageStore.Writer writer = store.BeginWrite();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        var catalog = new Catalog();
        catalog.Begin(writer, record);
        Tree tree = catalog.OpenOrCreateTree("tree");
        for (int i = 0; i < 400; i++)
        {
            tree.Put(Key(i), Key(i));
        }

        tree.Put("large"u8, new byte[9_000]);
        tree.Delete(Key(3));
        FixedTree numbers = catalog.OpenOrCreateFixedTree("numbers", sizeof(long));
        for (long i = -9; i < 20; i += 2)
        {
            numbers.Put(i, -i);
        }

        FixedTree wide = catalog.OpenOrCreateFixedTree("wide", FixedTree.ValueSizeBytesMax);
        for (long i = 0; i < 70; i++)
        {
            wide.Put(i * 1_000_000_007, new byte[FixedTree.ValueSizeBytesMax]);
        }

        MultiTree sets = catalog.OpenOrCreateMultiTree("sets");
        sets.Add("small"u8, "c"u8);
        sets.Add("small"u8, "a"u8);
        sets.Add("small"u8, "b"u8);
        for (int i = 0; i < 60; i++)
        {
            sets.Add("large"u8, Key(i));
        }

        StreamStore streams = catalog.OpenOrCreateStreams("streams");
        streams.Append("stream"u8, "hello,"u8);
        streams.Append("stream"u8, " w"u8);
        FillTable(catalog.OpenOrCreateTable("table"u8, Schema));
        catalog.Save(record);
        writer.Commit();
        return record;
    }

    private static void FillTable(Table table)
    {
        for (int i = 0; i < 4; i++)
        {
            TableRow row = table.Insert(5, sizeof(long), 2);
            Encoding.ASCII.GetBytes($"row {i}", row.Writable(0));
            row.SetInt64(1, i == 1 ? -1 : i);
            "c\0"u8.CopyTo(row.Writable(2));
            Assert.True(table.TryComplete(row));
        }

        Assert.True(table.TryGet("row 3"u8, out TableRow gone));
        table.Delete(gone.Id);
    }

    private static byte[] Key(int i) =>
        Encoding.ASCII.GetBytes($"key {i.ToString("D6", CultureInfo.InvariantCulture)}");

    /// <summary>The record, then each page: its lines of 32 bytes that are not all zero.</summary>
    private static string Dump(IReadOnlyDictionary<long, NativeSlice> pages, byte[] record)
    {
        var text = new StringBuilder().Append(CultureInfo.InvariantCulture, $"catalog {Convert.ToHexString(record)}\n");
        foreach ((long number, NativeSlice page) in pages.OrderBy(pair => pair.Key))
        {
            text.Append(CultureInfo.InvariantCulture, $"page {number} {page.Length}\n");
            for (int at = 0; at < page.Length; at += BytesPerLine)
            {
                ReadOnlySpan<byte> line = page.Span.Slice(at, BytesPerLine);
                if (line.IndexOfAnyExcept((byte)0) >= 0)
                {
                    text.Append(CultureInfo.InvariantCulture, $"{at:x4} {Convert.ToHexString(line)}\n");
                }
            }
        }

        return text.ToString();
    }

    private static string Folder([CallerFilePath] string path = "") => Path.GetDirectoryName(path)!;

    /// <summary>The pages of a golden file.</summary>
    private sealed class GoldenPages : IPageReader, IDisposable
    {
        private readonly MemoryPageStore _store = new();
        private readonly Dictionary<long, NativeSlice> _pages = [];

        public NativeSlice GetPage(long pageNumber) => _pages[pageNumber];

        public void Dispose() => _store.Dispose();

        internal byte[] Load(string path)
        {
            byte[] record = [];
            NativeSlice page = default;
            using MemoryPageStore.Writer writer = _store.BeginWrite();
            foreach (string[] words in File.ReadLines(path).Select(line => line.Split(' ')))
            {
                if (words[0] == "catalog")
                {
                    record = Convert.FromHexString(words[1]);
                }
                else if (words[0] == "page")
                {
                    int length = int.Parse(words[2], CultureInfo.InvariantCulture);
                    writer.AllocatePage(PageKind.Overflow, length - PageHeader.SizeInBytes, out page);
                    page.WritableSpan.Clear();
                    _pages.Add(long.Parse(words[1], CultureInfo.InvariantCulture), page);
                }
                else
                {
                    int at = int.Parse(words[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
                    Convert.FromHexString(words[1]).CopyTo(page.WritableSpan[at..]);
                }
            }

            writer.Commit();
            return record;
        }
    }
}
