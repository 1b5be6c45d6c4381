using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Lucene.Engine;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Counts of values, sums of numbers, and words that were meant.</summary>
public sealed class FacetTests
{
    [Theory]
    [InlineData(1, 50, SearchEngineType.Corax)]
    [InlineData(2, 5000, SearchEngineType.Corax)]
    [InlineData(1, 50, SearchEngineType.Lucene)]
    [InlineData(3, 200, SearchEngineType.Lucene)]
    public void Facets_are_those_of_a_naive_grouping_of_all_entries(
        int seed, int documentsMax, SearchEngineType engine)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = LuceneEngine.Open(
            new SearchIndexOptions
            {
                Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
            },
            engine);
        NaiveIndex naive = new();
        SearchQuery query = new();
        FacetSearcher searcher = new();
        for (int round = 0; round < 12; round++)
        {
            naive.Step(random, index, random.Next(1, documentsMax), documentsMax);
            _ = round % 4 == 3 && index.Merge();
            query.Clear();
            (int root, Func<NaiveEntry, bool> matches) = new RandomQuery(random, query).Make(1);
            List<NaiveEntry> entries = [.. naive.Entries.Where(matches)];
            using IndexReader reader = index.BeginRead();
            IReadOnlyList<IReadOnlyList<FacetValue>> facets = searcher.Run(
                reader,
                query,
                root,
                [new("Name", ""), new("Tags", "Number"), new("", "Tags"), new("Missing", "Number"), new("Number", "")]);
            string what = $"seed {seed}, round {round}";
            Check(entries, "Name", "", facets[0], what);
            Check(entries, "Tags", "Number", facets[1], what);
            Check(entries, "", "Tags", facets[2], what);
            Assert.Empty(facets[3]);
            Check(entries, "Number", "", facets[4], what);
        }
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void The_nearest_and_most_frequent_words_are_suggested(SearchEngineType engine)
    {
        using TestIndex test = new(engine);
        string[] texts = ["house mouse", "horse mouse", "grouse", "mousse mouse", "moose", "spouse"];
        test.Add("Text", Analyzers.Standard, texts);
        using IndexReader reader = test.Index.BeginRead();
        IEnumerable<(string, int, long)> found = TermSuggester.Suggest(reader, "Text", "mouuse"u8, 2, 4)
            .Select(one => (one.Term, one.Distance, one.EntryCount));
        Assert.Equal([("mouse", 1, 3), ("mousse", 1, 1), ("house", 2, 1), ("moose", 2, 1)], found);
        Assert.Empty(TermSuggester.Suggest(reader, "None", "mouse"u8, 2, 4));
    }

    private static void Check(
        List<NaiveEntry> entries, string field, string numbers, IReadOnlyList<FacetValue> facet, string what)
    {
        List<(string Value, long Count, decimal Sum, decimal Min, decimal Max)> expected =
        [
            .. entries.SelectMany(entry => field.Length == 0
                    ? [(Value: (object?)null, Entry: entry)]
                    : entry.Of(field).Distinct().Select(value => (Value: value, Entry: entry)))
                .GroupBy(pair => Text(pair.Value))
                .Select(group =>
                {
                    List<decimal> found =
                        [.. group.SelectMany(pair => pair.Entry.Of(numbers).Distinct().OfType<decimal>())];
                    return (group.Key, (long)group.Count(), found.Sum(), found.DefaultIfEmpty().Min(),
                        found.DefaultIfEmpty().Max());
                }).OrderBy(one => one.Key, StringComparer.Ordinal),
        ];
        FacetValue[] actual = [.. facet.OrderBy(one => Text(one.Value), StringComparer.Ordinal)];
        Assert.Equal(
            expected.Select(one => (one.Value, one.Count)), actual.Select(one => (Text(one.Value), one.Count)));
        for (int i = 0; i < actual.Length && numbers.Length > 0; i++)
        {
            if (actual[i].NumberCount > 0)
            {
                double difference = Math.Abs((double)expected[i].Sum - actual[i].Sum);
                Assert.True(difference <= 1e-6 * (1 + Math.Abs(actual[i].Sum)), what);
                Assert.Equal((double)expected[i].Min, actual[i].Min);
                Assert.Equal((double)expected[i].Max, actual[i].Max);
            }
        }
    }

    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => "'" + text,
        bool flag => flag ? "true" : "false",
        _ => Convert.ToDecimal(value, System.Globalization.CultureInfo.InvariantCulture)
            .ToString("G29", System.Globalization.CultureInfo.InvariantCulture),
    };
}
