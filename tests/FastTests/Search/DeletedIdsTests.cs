using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace FastTests.Search;

/// <summary>What a batch deletes is gone from older segments, even at their ends.</summary>
public sealed class DeletedIdsTests
{
    [Theory]
    [InlineData("d/0")]
    [InlineData("d/2")]
    [InlineData("d/3")]
    [InlineData("d/5")]
    [InlineData("d/")]
    [InlineData("d/50")]
    [InlineData("d/25")]
    [InlineData("c/9")]
    [InlineData("e")]
    public void A_deleted_document_is_gone_from_its_segment_and_no_other_is(string deleted)
    {
        using TestIndex test = new();

        // Two segments: d/0 to d/2, d/3 to d/5.
        test.Add("Name", Analyzers.Keyword, ["a", "a", "a", "a", "a", "a"]);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            batch.Delete(Encoding.UTF8.GetBytes(deleted));
            batch.Commit(default);
        }

        IndexSearcher searcher = new();
        SearchQuery query = new();
        int root = query.Equal("Name", query.Value("a"u8));
        using IndexReader reader = test.Index.BeginRead();
        searcher.Run(reader, query, root, new SearchRequest { Take = 10 });
        IEnumerable<string> left = Enumerable.Range(0, searcher.Count)
            .Select(result => Encoding.UTF8.GetString(searcher.DocumentId(result)));
        Assert.Equal(Enumerable.Range(0, 6).Select(i => $"d/{i}").Where(id => id != deleted), left.Order());
    }
}
