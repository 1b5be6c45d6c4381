using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>The best hits are found without scoring all that match, and all that match are counted.</summary>
public sealed class EarlyStopTests
{
    private const int Documents = 14_000;

    private static readonly string[] Words = ["aa", "bb", "cc", "dd", "ee"];

    [Fact]
    public void The_hits_of_a_page_are_the_best_of_all_that_match()
    {
        using TestIndex index = Make();
        using IndexReader reader = index.Index.BeginRead();
        string[][] pairs = [["aa", "ee"], ["aa", "bb"], ["dd", "ee"], ["cc", "cc"]];
        foreach (string[] pair in pairs)
        {
            Check(reader, pair[0], pair[1]);
        }
    }

    private static void Check(IndexReader reader, string first, string second)
    {
        foreach (bool isAnd in new[] { false, true })
        {
            SearchQuery query = new();
            int left = query.Search("Text", query.Value(first), isAnd);
            int right = query.Search("Text", query.Value(second), isAnd);
            int root = isAnd ? query.And(left, right) : query.Or(left, right);
            (float[] all, long total) = Run(reader, query, root, Documents);
            foreach (int take in new[] { 0, 1, 10, 1000 })
            {
                (float[] best, long count) = Run(reader, query, root, take);
                Assert.Equal(total, count);
                Assert.Equal(all.Take(take), best);
            }
        }
    }

    private static (float[] Scores, long Total) Run(IndexReader reader, SearchQuery query, int root, int take)
    {
        IndexSearcher searcher = new();
        SearchRequest request = new() { Skip = 0, Take = take };
        request.Orders.Add(new OrderKey(OrderKind.Score, "", IsDescending: true, NullsLast: true, 0));
        searcher.Run(reader, query, root, request);
        return ([.. Enumerable.Range(0, searcher.Count).Select(searcher.Score)], searcher.TotalCount);
    }

    /// <summary>Words from rare to frequent, in texts of all lengths.</summary>
    private static TestIndex Make()
    {
        Random random = new(5);
        TestIndex index = new();
        string[] texts = new string[Documents];
        for (int i = 0; i < texts.Length; i++)
        {
            StringBuilder text = new("x");
            for (int word = 0; word < Words.Length; word++)
            {
                bool isThere = random.Next(1 << (2 * (Words.Length - word))) == 0;
                for (int times = isThere ? random.Next(1, 5) : 0; times > 0; times--)
                {
                    text.Append(' ').Append(Words[word]).Append(i % 7 == 0 ? " y y y" : "");
                }
            }

            texts[i] = text.ToString();
        }

        index.Add("Text", Analyzers.Standard, texts);
        return index;
    }
}
