using System.Text;
using FastTests.Support;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>What queries find, in which order, and what they cost in managed memory.</summary>
public sealed class QueryTests
{
    [Theory]
    [InlineData(1, 60, SearchEngineType.Corax)]
    [InlineData(2, 300, SearchEngineType.Corax)]
    [InlineData(1, 60, SearchEngineType.Lucene)]
    [InlineData(2, 300, SearchEngineType.Lucene)]
    public void Random_queries_find_what_a_naive_evaluator_finds(int seed, int documentsMax, SearchEngineType engine)
    {
        using QueryDifferential test = new(seed, engine);
        test.Run(800, documentsMax);
    }

    [Fact]
    public void Random_queries_over_many_windows_find_what_a_naive_evaluator_finds()
    {
        using QueryDifferential test = new(3, SearchEngineType.Corax);
        test.Run(400, 6000);
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void Scores_are_those_of_the_BM25_formula(SearchEngineType engine)
    {
        using TestIndex test = new(engine);
        string[] texts = ["red fox", "red red fox dog", "dog", "the red moon and the red sun over the river", "fox"];
        test.Add("Text", Analyzers.Standard, texts);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        int root = query.Search("Text", query.Value("red fox"), isAll: false);
        IndexSearcher searcher = new();
        SearchRequest request = new() { Orders = { new OrderKey(OrderKind.Score, "", true, false, 0) } };
        searcher.Run(reader, query, root, request);
        string[][] words = [.. texts.Select(text => text.Split(' ').Where(w => w is not ("the" or "and")).ToArray())];
        double average = words.Average(text => text.Length);
        List<(int Id, double Score)> expected = [];
        for (int i = 0; i < texts.Length; i++)
        {
            double score = 0;
            foreach (string term in new[] { "red", "fox" })
            {
                int df = words.Count(text => text.Contains(term));
                double tf = words[i].Count(word => word == term);
                double idf = Math.Log(1 + ((texts.Length - df + 0.5) / (df + 0.5)));
                score += idf * 2.2 * tf / (tf + (1.2 * (0.25 + (0.75 * words[i].Length / average))));
            }

            if (score > 0)
            {
                expected.Add((i, score));
            }
        }

        expected.Sort((left, right) => right.Score.CompareTo(left.Score));
        Assert.Equal(expected.Count, searcher.TotalCount);
        for (int i = 0; i < expected.Count; i++)
        {
            Assert.Equal($"d/{expected[i].Id}", Encoding.UTF8.GetString(searcher.DocumentId(i)));
            Assert.Equal(expected[i].Score, searcher.Score(i), 5);
        }
    }

    [Fact]
    public void A_boost_multiplies_and_a_group_that_does_not_match_adds_nothing()
    {
        using TestIndex test = new();
        test.Add("Text", Analyzers.Standard, ["red moon", "red sun", "moon sun"]);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        int group = query.And(Word(query, "red"), Word(query, "moon"));
        int root = query.And(query.All(), query.Or(group, query.Boost(Word(query, "sun"), 3)));
        IndexSearcher searcher = new();
        searcher.Run(reader, query, root, new SearchRequest { WithScores = true });
        Assert.Equal(3, searcher.TotalCount);
        Assert.Equal(searcher.Score(1), searcher.Score(2));
        Assert.True(searcher.Score(1) > 1 + (3 * (searcher.Score(0) - 1) / 2.1));

        static int Word(SearchQuery query, string word) => query.Search("Text", query.Value(word), isAll: true);
    }

    [Fact]
    public void Alphanumeric_order_takes_digits_as_numbers()
    {
        using TestIndex test = new();
        test.Add("Name", Analyzers.Keyword, ["a10", "a9", "b1", "a09b", "a", "a9b"]);
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        IndexSearcher searcher = new();
        SearchRequest request = new() { Orders = { new OrderKey(OrderKind.AlphaNumeric, "Name", false, false, 0) } };
        searcher.Run(reader, query, query.All(), request);
        string[] ids = [.. Enumerable.Range(0, searcher.Count).Select(i =>
            Encoding.UTF8.GetString(searcher.DocumentId(i)))];
        Assert.Equal(["d/4", "d/1", "d/3", "d/5", "d/0", "d/2"], ids);
    }

    [Fact]
    public void A_random_order_is_the_same_for_the_same_seed_and_another_for_another()
    {
        using TestIndex test = new();
        test.Add("Name", Analyzers.Keyword, [.. Enumerable.Range(0, 200).Select(i => $"n{i}")]);
        using IndexReader reader = test.Index.BeginRead();
        Assert.Equal(Ids(1), Ids(1));
        Assert.NotEqual(Ids(1), Ids(2));
        Assert.NotEqual(Ids(1).Order(), Ids(1));

        string[] Ids(int seed)
        {
            SearchQuery query = new();
            IndexSearcher searcher = new();
            SearchRequest request = new() { Take = 200 };
            request.Orders.Add(new OrderKey(OrderKind.Random, "", false, false, seed));
            searcher.Run(reader, query, query.All(), request);
            return [.. Enumerable.Range(0, 200).Select(i => Encoding.UTF8.GetString(searcher.DocumentId(i)))];
        }
    }

    [Fact]
    public void A_pattern_that_needs_backtracking_is_refused()
    {
        SearchQuery query = new();
        Assert.Throws<ArgumentException>(() => query.Regex("F", @"(a)\1"));
        Assert.ThrowsAny<ArgumentException>(() => query.Regex("F", "(a"));
    }

    [Theory]
    [InlineData("term")]
    [InlineData("range")]
    [InlineData("and")]
    [InlineData("search")]
    [InlineData("phrase")]
    [InlineData("prefix")]
    [InlineData("sorted")]
    [InlineData("intersect")]
    [InlineData("fuzzy")]
    [InlineData("similar")]
    [InlineData("wildcard")]
    [InlineData("regex")]
    public void A_query_of_a_known_shape_allocates_nothing(string shape)
    {
        using QueryAllocation test = new();
        long found = 0;
        long allocated = Allocated.Least(() => found = test.Run(shape));
        Assert.True(found > 0, "the query finds nothing");
        Assert.Equal(0, allocated);
    }
}
