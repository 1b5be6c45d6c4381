using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Storage.Paging;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Albums as FreeDB has them, made up from their number: rows, found by disk id, by artist and by title in
/// lower case.
/// </summary>
internal sealed class AlbumLoad
{
    private const int Words = 4_000;

    private static readonly string[] Syllables = ["ka", "lo", "mi", "ren", "sta", "tu", "vel", "no", "shi", "dra"];

    private readonly byte[] _row = new byte[4_096];

    /// <summary>
    /// Albums a second until the last commit and until all is in the data file, index entries a second until then,
    /// bytes an album, and the flushes before the last commit.
    /// </summary>
    internal double[] Run(StorageEnvironment environment, int albums, int batch)
    {
        long start = Stopwatch.GetTimestamp();
        for (int first = 0; first < albums; first += batch)
        {
            Write(environment, first, Math.Min(batch, albums - first));
        }

        double committed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        long flushes = environment.GetStatistics().Flushes;
        _ = environment.Flush() && environment.Flush();
        double settled = Stopwatch.GetElapsedTime(start).TotalSeconds;
        double pages = environment.GetStatistics().Pages;
        return
        [
            albums / committed, albums / settled, 4 * albums / settled, pages * PageHeader.PageSizeInBytes / albums,
            flushes,
        ];
    }

    internal void Write(StorageEnvironment environment, int first, int count)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        RowHeap rows = transaction.OpenOrCreateRowHeap("albums"u8);
        Tree ids = transaction.OpenOrCreateTree("ids"u8);
        Tree artists = transaction.OpenOrCreateTree("artists"u8);
        Tree titles = transaction.OpenOrCreateTree("titles"u8);
        for (int i = first; i < first + count; i++)
        {
            int length = Encoding.UTF8.GetBytes(Describe(i), _row);
            long row = rows.Insert(_row.AsSpan(0, length));
            ReadOnlySpan<byte> value = MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in row));
            ids.Put(Id(i), value);
            artists.Put(Key(Artist(i), i), value);
            titles.Put(Key(Title(i), i), value);
        }

        transaction.Commit();
    }

    /// <summary>Finds an album by all three ways, and the prefix of its title.</summary>
    /// <exception cref="InvalidOperationException">One of them does not find it.</exception>
    internal static void Find(ReadTransaction reader, int album)
    {
        RowHeap rows = reader.TryOpenRowHeap("albums"u8)!;
        string expected = Describe(album);
        if (!reader.TryOpenTree("ids"u8)!.TryGet(Id(album), out var id) || Read(rows, id.Span) != expected)
        {
            throw new InvalidOperationException($"Album {album} is not found by its id.");
        }

        foreach ((string tree, string text) in new[] { ("artists", Artist(album)), ("titles", Title(album)) })
        {
            TreeCursor cursor = reader.TryOpenTree(tree)!.GetCursor();
            string lower = text.ToLowerInvariant();
            bool found = false;
            for (bool more = cursor.SeekPrefix(Encoding.UTF8.GetBytes(lower[..(lower.Length - 1)]));
                more && !found;
                more = cursor.MoveNext())
            {
                found = Read(rows, cursor.Value.Span) == expected;
            }

            if (!found)
            {
                throw new InvalidOperationException($"Album {album} is not found among the {tree}.");
            }
        }
    }

    /// <summary>The key of an album in the tree of titles.</summary>
    internal static byte[] TitleKey(int album) => Key(Title(album), album);

    private static string Read(RowHeap rows, ReadOnlySpan<byte> id) =>
        Encoding.UTF8.GetString(rows.Read(MemoryMarshal.Read<long>(id)).Span);

    private static byte[] Id(int album) =>
        Encoding.ASCII.GetBytes(((uint)album * 2_654_435_761u).ToString("x8", CultureInfo.InvariantCulture));

    private static byte[] Key(string text, int album) =>
        Encoding.UTF8.GetBytes($"{text.ToLowerInvariant()}\0{album:x8}");

    private static string Artist(int album) => $"{Word(album % 7_919)} {Word((album * 31) % 7_919)}";

    private static string Title(int album) => $"The {Word(album)} of {Word(album / 3)} {album % 97}";

    private static string Word(int number)
    {
        var random = new Random(number % Words);
        return string.Concat(Enumerable.Range(0, 3).Select(_ => Syllables[random.Next(Syllables.Length)]));
    }

    private static string Describe(int album)
    {
        var text = new StringBuilder();
        text.Append("{\"Artist\":\"").Append(Artist(album)).Append("\",\"Title\":\"").Append(Title(album));
        text.Append("\",\"DiskIds\":[\"").Append(Encoding.ASCII.GetString(Id(album))).Append("\"],\"Tracks\":[");
        for (int i = 0; i < 8 + (album % 9); i++)
        {
            text.Append(i == 0 ? "\"" : ",\"").Append(Word(album + i)).Append(' ');
            text.Append(Word((album * 7) + i)).Append('"');
        }

        return text.Append("]}").ToString();
    }
}
