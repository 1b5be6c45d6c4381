using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>Texts that are like another one are found, the most like first.</summary>
public sealed class MoreLikeThisTests
{
    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void The_most_significant_words_of_a_text_decide_which_others_are_like_it(SearchEngineType engine)
    {
        using TestIndex test = new(engine);
        test.Add("Text", Analyzers.English,
            ["stars and comets and stars", "cooking with stars", "cooking with rice", "comets, stars, comets", "rice"]);
        IndexField field = test.Index.Fields.Single(one => one.Name == "Text");
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        MoreLikeThis like = new() { FrequencyMin = 1, EntriesMin = 2, WordsMax = 2 };
        int root = like.AddTo(reader, query, field, "a star, a comet, a comet and cooking once"u8);
        IndexSearcher searcher = new();
        SearchRequest request = new() { Orders = { new OrderKey(OrderKind.Score, "", true, false, 0) } };
        searcher.Run(reader, query, root, request);
        string[] ids = [.. Enumerable.Range(0, searcher.Count).Select(i =>
            Encoding.UTF8.GetString(searcher.DocumentId(i)))];
        Assert.Equal(["d/3", "d/0"], ids[..2]);
        Assert.DoesNotContain("d/4", ids);
        Assert.Equal(4, searcher.TotalCount);
    }

    [Fact]
    public void Nothing_is_found_if_no_word_of_the_text_is_significant()
    {
        using TestIndex test = new();
        test.Add("Text", Analyzers.English, ["stars", "rice"]);
        IndexField field = test.Index.Fields.Single(one => one.Name == "Text");
        using IndexReader reader = test.Index.BeginRead();
        SearchQuery query = new();
        IndexSearcher searcher = new();
        searcher.Run(reader, query, new MoreLikeThis().AddTo(reader, query, field, "stars"u8), new SearchRequest());
        Assert.Equal(0, searcher.TotalCount);
    }
}
