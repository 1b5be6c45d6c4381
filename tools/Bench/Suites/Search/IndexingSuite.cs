using System.Diagnostics;
using Raven.Search;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// How fast an index is built, one thread, documents parsed before, with its commit; and how soon changes are visible.
/// Lucene.Net and SQLite run beside it.
/// </summary>
internal sealed class IndexingSuite : IBenchSuite
{
    private const double ExactRatio = 5;
    private const double TextRatio = 4;
    private const double BehindRatio = 0.7;
    private const double SqliteRatio = 1.5;
    private const double VisibleRatio = 0.5;
    private const int ChangeRounds = 20;

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        const string Artworks = "index build, tate-artworks, 3 exact fields";
        const string Movies = "index build, wikipedia-movies, extract as full text";
        const string Visible = "changed documents to visible, wikipedia-movies";
        if (context.Wants(LuceneSearch.BehindOurs + Artworks))
        {
            SearchDocuments? artworks = SearchDocuments.TryLoadArtworks(context);
            yield return Row(context, Artworks, artworks, false, ExactRatio);
            yield return BehindRow(context, Artworks, artworks, false);
        }

        if (!context.Wants(LuceneSearch.BehindOurs + Movies) && !context.Wants(Visible))
        {
            yield break;
        }

        SearchDocuments? documents = SearchDocuments.TryLoadMovies(context);
        yield return Row(context, Movies, documents, true, TextRatio);
        yield return BehindRow(context, Movies, documents, true);
        if (documents is not null && SqliteSearch.IsInstalled(out _))
        {
            yield return SqliteRow(context, Movies, documents);
        }
        else
        {
            yield return BenchRow.Skip(Movies + ", CPU", "documents/s", "SQLite or data not there");
        }

        if (documents is not null)
        {
            foreach (BenchRow row in VisibleRows(context, Visible, documents))
            {
                yield return row;
            }
        }
    }

    private static BenchRow Row(
        BenchContext context, string name, SearchDocuments? documents, bool isText, double ratio) =>
        documents is null
            ? BenchRow.Skip(name, "documents/s", Blittable.DocumentSets.Missing)
            : new BenchRow
            {
                Name = $"{name} ({documents.Count:N0}, CPU)",
                Unit = "documents/s",
                PeerName = LuceneSearch.Name,
                Target = BenchTarget.RatioAtLeast(ratio),
                WarmUpRuns = 1,
                Ours = () => Build(context, documents, isText),
                Peer = () => BuildBare(context, documents, isText),
            };

    /// <summary>An index of the engine Lucene, with the merges that it asks for, as bare Lucene does them.</summary>
    private static BenchRow BehindRow(BenchContext context, string name, SearchDocuments? documents, bool isText) =>
        Row(context, LuceneSearch.BehindOurs + name, documents, isText, BehindRatio) with
        {
            Ours = documents is null ? null : () =>
            {
                using SearchIndex index = MovieIndex.Create(NewFolder(context), SearchEngineType.Lucene);
                return documents.Count / Measure.CpuSeconds(() =>
                {
                    MovieIndex.Fill(index, documents, isText);
                    while (index.Merge())
                    {
                    }
                });
            },
        };

    private static BenchRow SqliteRow(BenchContext context, string name, SearchDocuments documents) => new()
    {
        Name = $"{name} ({documents.Count:N0}, CPU)",
        Unit = "documents/s",
        PeerName = "SQLite FTS5",
        Target = BenchTarget.RatioAtLeast(SqliteRatio),
        WarmUpRuns = 1,
        Ours = () => Build(context, documents, isText: true),
        Peer = () =>
        {
            using SqliteSearch peer = new(NewFolder(context));
            return documents.Count / Measure.CpuSeconds(() => peer.Fill(documents));
        },
    };

    /// <summary>
    /// Documents are replaced in a whole index, with the merges that it asks for, until a reader sees them: ours with a
    /// commit for each round.
    /// </summary>
    private static IEnumerable<BenchRow> VisibleRows(BenchContext context, string name, SearchDocuments documents)
    {
        using SearchIndex index = MovieIndex.Create(NewFolder(context));
        MovieIndex.Fill(index, documents, isText: true);
        using LuceneSearch lucene = new(NewFolder(context));
        lucene.Fill(documents, isText: true);
        lucene.MergeAll();
        foreach (int count in (int[])[1, 10, 100])
        {
            yield return new BenchRow
            {
                Name = $"{count} {name}",
                Unit = "ms",
                PeerName = LuceneSearch.Name,
                Target = BenchTarget.RatioAtMost(VisibleRatio),
                WarmUpRuns = 1,
                Ours = () => PerRound(documents, count, first => Replace(index, documents, first, count)),
                Peer = () => PerRound(documents, count, first => lucene.Replace(documents, first, count)),
            };
        }
    }

    private static double PerRound(SearchDocuments documents, int count, Action<int> replace)
    {
        long start = Stopwatch.GetTimestamp();
        for (int round = 0; round < ChangeRounds; round++)
        {
            replace(round * (documents.Count - count) / ChangeRounds);
        }

        return Stopwatch.GetElapsedTime(start).TotalMilliseconds / ChangeRounds;
    }

    private static void Replace(SearchIndex index, SearchDocuments documents, int first, int count)
    {
        MovieIndex.Replace(index, documents, first, count);
        index.Merge();
        using IndexReader reader = index.BeginRead();
    }

    private static double Build(BenchContext context, SearchDocuments documents, bool isText)
    {
        using SearchIndex index = MovieIndex.Create(NewFolder(context));
        return documents.Count / Measure.CpuSeconds(() => MovieIndex.Fill(index, documents, isText));
    }

    private static double BuildBare(BenchContext context, SearchDocuments documents, bool isText)
    {
        using LuceneSearch peer = new(NewFolder(context));
        return documents.Count / Measure.CpuSeconds(() => peer.Fill(documents, isText));
    }

    private static string NewFolder(BenchContext context) =>
        Path.Combine(context.ScratchDirectory, Guid.NewGuid().ToString("N"));
}
