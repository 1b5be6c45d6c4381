using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>A search that was ended ends, and leaves the searcher fit for the next one.</summary>
public sealed class CancelledSearchTests
{
    private const int Documents = 300;

    public static TheoryData<string> Conditions =>
        ["all", "in", "range", "prefix", "wildcard", "regex", "fuzzy", "exists", "sorted", "scored"];

    [Theory]
    [MemberData(nameof(Conditions))]
    public void A_cancelled_search_ends_and_the_next_one_finds_all(string condition)
    {
        using TestIndex index = Make();
        using IndexReader reader = index.Index.BeginRead();
        SearchQuery query = new();
        SearchRequest request = new() { Take = Documents };
        int root = Add(query, request, condition);
        IndexSearcher searcher = new();
        searcher.Run(reader, query, root, request);
        (long Total, string[] Ids) expected = (searcher.TotalCount, Ids(searcher));
        Assert.True(expected.Total > Documents / 10);

        request.Cancellation = new CancellationToken(canceled: true);
        for (int i = 0; i < 2; i++)
        {
            Assert.Throws<OperationCanceledException>(() => searcher.Run(reader, query, root, request));
        }

        request.Cancellation = CancellationToken.None;
        searcher.Run(reader, query, root, request);
        Assert.Equal(expected.Total, searcher.TotalCount);
        Assert.Equal(expected.Ids, Ids(searcher));
    }

    [Fact]
    public void A_cancelled_pattern_ends_while_it_is_compared_with_terms()
    {
        using TestIndex index = Make();
        using IndexReader reader = index.Index.BeginRead();
        using var ended = new CancellationTokenSource();
        SearchQuery query = new();

        // It matches nothing, so that no window of entries is ever looked at: terms alone are.
        int root = query.Wildcard("Text", query.Value("*no*such*"));
        SearchRequest request = new() { Cancellation = ended.Token };
        IndexSearcher searcher = new();
        searcher.Run(reader, query, root, request);
        Assert.Equal(0, searcher.TotalCount);
        ended.Cancel();
        Assert.Throws<OperationCanceledException>(() => searcher.Run(reader, query, root, request));
    }

    [Fact]
    public void Cancelled_facets_and_suggestions_end_and_the_next_ones_are_complete()
    {
        using TestIndex index = Make();
        using IndexReader reader = index.Index.BeginRead();
        SearchQuery query = new();
        int root = query.All();
        FacetField[] fields = [new FacetField("Text", "")];
        var ended = new CancellationToken(canceled: true);
        FacetSearcher searcher = new();
        Assert.Throws<OperationCanceledException>(() => searcher.Run(reader, query, root, fields, ended));
        Assert.Equal(Documents, searcher.Run(reader, query, root, fields)[0].Sum(value => value.Count));
        Assert.Throws<OperationCanceledException>(
            () => TermSuggester.Suggest(reader, "Text", "t1"u8, 2, 10, ended));
        Assert.NotEmpty(TermSuggester.Suggest(reader, "Text", "t1"u8, 2, 10));
    }

    [Fact]
    public void A_cancelled_search_for_nearest_vectors_ends_and_the_next_one_finds_all()
    {
        using TestIndex index = new();
        using (IndexBatch batch = index.Index.BeginBatch())
        {
            IndexField field = batch.GetOrAddVectors("V", VectorFormat.Single, 2);
            for (int i = 0; i < 10; i++)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes($"d/{i}"));
                batch.AddVector(field, [i, 1f]);
                batch.EndEntry();
            }

            batch.Commit(default);
        }

        using IndexReader reader = index.Index.BeginRead();
        SearchQuery query = new();
        int root = query.Nearest("V", query.Vector([1f, 1f]), 1, 0, 5);
        SearchRequest request = new() { Cancellation = new CancellationToken(canceled: true) };
        IndexSearcher searcher = new();
        Assert.Throws<OperationCanceledException>(() => searcher.Run(reader, query, root, request));
        searcher.Run(reader, query, root, new SearchRequest());
        Assert.Equal(5, searcher.TotalCount);
    }

    private static int Add(SearchQuery query, SearchRequest request, string condition)
    {
        switch (condition)
        {
            case "in":
                int first = query.Value("t1");
                for (int i = 2; i < 100; i++)
                {
                    query.Value($"t{i}");
                }

                return query.In("Text", first, 99);
            case "range":
                return query.Range("Text", query.Value("t1"), true, query.Value("t3"), true);
            case "prefix":
                return query.StartsWith("Text", query.Value("t1"));
            case "wildcard":
                return query.Wildcard("Text", query.Value("*1*"));
            case "regex":
                return query.Regex("Text", "1");
            case "fuzzy":
                return query.Fuzzy("Text", query.Value("t1"), 2);
            case "exists":
                return query.Exists("Text");
            case "sorted":
                request.Orders.Add(new OrderKey(OrderKind.Value, "Text", IsDescending: true, NullsLast: true, 0));
                return query.All();
            case "scored":
                request.Orders.Add(new OrderKey(OrderKind.Score, "", IsDescending: true, NullsLast: true, 0));
                return query.Or(query.StartsWith("Text", query.Value("t1")), query.All());
            default:
                return query.All();
        }
    }

    private static string[] Ids(IndexSearcher searcher) =>
        [.. Enumerable.Range(0, searcher.Count).Select(i => Encoding.UTF8.GetString(searcher.DocumentId(i)))];

    private static TestIndex Make()
    {
        TestIndex index = new();
        index.Add("Text", Analyzers.Keyword, [.. Enumerable.Range(0, Documents).Select(i => $"t{i}")]);
        return index;
    }
}
