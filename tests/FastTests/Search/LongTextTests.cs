using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>Texts of any length are compared as they are.</summary>
public sealed class LongTextTests
{
    private static readonly string Long = new('x', 1000);

    [Fact]
    [Trait("Fault", "D1")]
    public void Texts_over_a_thousand_bytes_are_found_by_their_ends_patterns_prefixes_and_bounds()
    {
        using TestIndex test = new();
        test.Add("S", Analyzers.LowerCaseKeyword, [Long + "ab", Long + "aa", Long + "xx" + Long, Long, "z"]);
        for (int round = 0; round < 2; round++)
        {
            using IndexReader reader = test.Index.BeginRead();
            SearchQuery query = new();
            Assert.Equal([1], Find(reader, query, query.EndsWith("S", query.Value("aa"))));
            Assert.Equal([1], Find(reader, query, query.Regex("S", "aa$")));
            Assert.Equal([2], Find(reader, query, query.StartsWith("S", query.Value(Long + "x"))));
            Assert.Equal([0, 1], Find(reader, query, query.StartsWith("S", query.Value(Long + "A"))));
            Assert.Equal([0], Find(reader, query, query.Wildcard("S", query.Value("x*?b"))));
            Assert.Equal([0], Find(reader, query, query.Equal("S", query.Value(Long + "AB"))));
            Assert.Equal(
                [1, 3],
                Find(reader, query, query.Range(
                    "S", SearchQuery.Unbounded, false, query.Value(Long + "ab"), false)));
            Assert.Equal([0, 1], Find(reader, query, query.Similar("S", query.Value(Long + "ac"), 0.99f))[..2]);
            Assert.Equal([3, 1, 0, 2, 4], Find(
                reader, query, query.All(), new OrderKey(OrderKind.Value, "S", false, true, 0)));
            Assert.Equal(Long + "aa", IndexTerms.Of(reader, "S", "", 10)[1]);
            Assert.Equal(round == 0, test.Index.MergeAll());
        }
    }

    [Fact]
    [Trait("Fault", "D1")]
    public void Long_texts_with_a_long_beginning_in_common_are_sorted_without_deep_calls()
    {
        using TestIndex test = new();
        string beginning = new('y', 2_000_000);
        test.Add("S", Analyzers.Keyword, [beginning + "b", beginning + "a", beginning, "y"]);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        Assert.Equal([3, 2, 1, 0], Find(
            reader, query, query.All(), new OrderKey(OrderKind.Value, "S", false, true, 0)));
    }

    [Theory]
    [Trait("Fault", "D12")]
    [InlineData("Ernst Handel", "ernts hnadel", 0.5f, true)]
    [InlineData("Ernst Handel", "ernts hnadel", 0.7f, false)]
    [InlineData("word", "wird", 0.7f, true)]
    [InlineData("word", "wird", 0.75f, false)]
    [InlineData("word", "word", 1f, true)]
    public void A_word_is_similar_if_no_more_of_it_is_changed_than_the_similarity_allows(
        string value, string asked, float similarity, bool isFound)
    {
        using TestIndex test = new();
        test.Add("S", Analyzers.LowerCaseKeyword, ["other", value]);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        int[] expected = isFound ? [1] : [];
        Assert.Equal(expected, Find(reader, query, query.Similar("S", query.Value(asked), similarity)));
    }

    private static int[] Find(IndexReader reader, SearchQuery query, int root, params OrderKey[] orders)
    {
        SearchRequest request = new();
        foreach (OrderKey order in orders)
        {
            request.Orders.Add(order);
        }

        IndexSearcher searcher = new();
        searcher.Run(reader, query, root, request);
        IEnumerable<int> found = Enumerable.Range(0, searcher.Count)
            .Select(i => Encoding.UTF8.GetString(searcher.DocumentId(i))[2..])
            .Select(id => int.Parse(id, System.Globalization.CultureInfo.InvariantCulture));
        return orders.Length > 0 ? [.. found] : [.. found.Order()];
    }
}
