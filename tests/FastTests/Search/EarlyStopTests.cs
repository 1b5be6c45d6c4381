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
        string[][] groups =
        [
            ["aa", "ee"], ["aa", "bb"], ["dd", "ee"], ["cc", "cc"], ["ee"], ["dd"], ["bb", "cc", "dd"],
            ["ee", "dd", "ee", "cc"], ["aa", "bb", "cc", "dd", "ee"],
        ];
        foreach (string[] words in groups)
        {
            Check(reader, words);
        }
    }

    [Fact]
    public void A_page_of_one_word_counts_what_is_not_deleted()
    {
        using TestIndex index = Make();
        for (int round = 0; round < 3; round++)
        {
            using (IndexReader reader = index.Index.BeginRead())
            {
                Check(reader, ["ee"]);
                SearchQuery query = new();
                int root = query.Search("Text", query.Value("ee"), isAll: true);
                (float[] all, long total) = Run(reader, query, root, Documents);
                IndexSearcher searcher = new();
                searcher.Run(reader, query, root, new SearchRequest { Take = 5 });
                Assert.Equal((all.Length, total, 5), (all.Length, searcher.TotalCount, searcher.Count));
                Assert.Equal(all.Length, total);
            }

            // Of one of the two segments, then of both.
            using IndexBatch batch = index.Index.BeginBatch();
            for (int i = round * (Documents - 100); i < (round * (Documents - 100)) + 100; i++)
            {
                batch.Delete(Encoding.UTF8.GetBytes(FormattableString.Invariant($"d/{i}")));
            }

            batch.Commit(default);
        }
    }

    private static void Check(IndexReader reader, string[] words)
    {
        foreach (bool isAnd in new[] { false, true })
        {
            SearchQuery query = new();
            int root = query.Search("Text", query.Value(words[0]), isAnd);
            foreach (string word in words[1..])
            {
                int other = query.Search("Text", query.Value(word), isAnd);
                root = isAnd ? query.And(root, other) : query.Or(root, other);
            }

            (float[] all, long total) = Run(reader, query, root, Documents);
            foreach (int take in new[] { 0, 1, 10, 1000 })
            {
                (float[] best, long count) = Run(reader, query, root, take);
                Assert.Equal(total, count);
                Assert.Equal(Math.Min(take, all.Length), best.Length);

                // Several words may be added up in another order.
                Assert.All(best.Zip(all), pair => Assert.Equal(pair.Second, pair.First, words.Length > 2 ? 1e-4f : 0f));
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
