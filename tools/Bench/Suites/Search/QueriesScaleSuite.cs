using System.Diagnostics;
using System.Globalization;
using Raven.Search;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// The shapes of queries over 500,000 texts, and over 10 million if the filter says "10 M": drawn of the words of
/// wikipedia-movies by Zipf's law, beside Lucene.Net. The indexes are kept between runs, as building them takes far
/// longer than asking.
/// </summary>
internal sealed class QueriesScaleSuite : IBenchSuite
{
    private const string Large = "10 M";

    public string Name => "queries-scale";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (SearchDocuments.TryLoadMovies(context) is not { } movies)
        {
            yield return BenchRow.Skip("queries of many texts", "us", Blittable.DocumentSets.Missing);
            yield break;
        }

        bool isLarge = context.Filter?.Contains(Large, StringComparison.Ordinal) == true;
        (int count, string suffix) = isLarge ? (10_000_000, $" of {Large} texts") : (500_000, " of 500 k texts");
        SearchDocuments drawn = movies.Drawn(count);
        string folder = Path.Combine(
            Path.GetTempPath(), "raven-bench-indexes", count.ToString(CultureInfo.InvariantCulture));
        using SearchIndex index = MovieIndex.Create(Path.Combine(folder, "ours"));
        if (!MovieIndex.IsOf(index, count))
        {
            Tell("ours", () =>
            {
                MovieIndex.Fill(index, drawn, isText: true);

                // One after the other: the field of a segment has at most 256 MB.
                while (index.MergeAll())
                {
                }
            });
        }

        using LuceneSearch lucene = new(Path.Combine(folder, "lucene"));
        if (lucene.Count != count)
        {
            Tell(LuceneSearch.Name, () => lucene.Fill(drawn, isText: true));
        }

        lucene.MergeAll();
        var rows = new QueryRows(new OurSearch(index), lucene, drawn, new MovieWords(drawn));
        foreach (BenchRow row in rows.All(context, suffix))
        {
            yield return row;
        }
    }

    private static void Tell(string name, Action build)
    {
        long start = Stopwatch.GetTimestamp();
        build();
        Console.Error.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"{name}: built in {Stopwatch.GetElapsedTime(start).TotalSeconds:F0} s"));
    }
}
