using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Conditions that entries of a document meet together, each another one.</summary>
public sealed class IntersectionTests
{
    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void A_document_is_found_if_each_condition_is_met_by_one_of_its_entries(SearchEngineType engine)
    {
        using Shirts shirts = new(engine: engine);
        shirts.Add("a", "blue small", "gray large", "red small");
        shirts.Add("b", "blue small", "blue large");
        shirts.Commit();
        shirts.Add("c", "gray large", "blue small", "blue small");
        shirts.Add("d", "gray large");
        shirts.Commit();
        Assert.Equal("a c c", shirts.Find("blue small", "gray large"));
        Assert.Equal("a c", shirts.Find("gray large", "blue small"));
        Assert.Equal("a", shirts.Find("blue small", "gray large", "red small"));
        Assert.Equal("", shirts.Find("blue small", "green large", "gray large"));
        Assert.Equal("a c", shirts.Find("gray large", "blue small", "gray large"));
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void Deleted_entries_meet_no_condition(SearchEngineType engine)
    {
        using Shirts shirts = new(engine: engine);
        shirts.Add("a", "blue small", "gray large");
        shirts.Add("b", "blue small", "gray large");
        shirts.Add("c", "blue small", "gray large");
        shirts.Commit();
        shirts.Add("a", "blue small", "red large");
        shirts.Delete("b");
        shirts.Commit();
        Assert.Equal("c", shirts.Find("blue small", "gray large"));
        Assert.True(shirts.Index.MergeAll());
        Assert.Equal("c", shirts.Find("blue small", "gray large"));
        shirts.Add("a", "gray large", "blue small");
        shirts.Commit();
        Assert.Equal("a c", shirts.Find("blue small", "gray large"));
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void Pages_of_an_intersection_count_the_entries_that_meet_its_first_condition(SearchEngineType engine)
    {
        using Shirts shirts = new(engine: engine);
        for (int i = 0; i < 40; i++)
        {
            shirts.Add($"{i:D2}", i % 2 == 0 ? ["blue small", "gray large"] : ["blue small", "red large"]);
            if (i % 7 == 0)
            {
                shirts.Commit();
            }
        }

        shirts.Commit();
        Assert.Equal("10 12 14", shirts.Find(5, 3, "blue small", "gray large"));
        Assert.Equal(20, shirts.Total);
        Assert.Equal("38", shirts.Find(19, 3, "blue small", "gray large"));
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void An_entry_is_scored_by_the_conditions_that_it_meets_itself(SearchEngineType engine)
    {
        using Shirts shirts = new(engine: engine);
        shirts.Add("a", "blue small", "gray large");
        shirts.Add("b", "blue blue small", "gray large");
        shirts.Add("c", "blue gray", "gray small");
        shirts.Add("d", "green", "white", "blue", "blue");
        shirts.Commit();
        Assert.Equal("c b a", shirts.Find(0, 10, isScored: true, "blue", "gray"));
    }

    [Fact]
    [Trait("Invariant", "DOC-1")]
    public void The_entries_of_a_document_are_in_one_segment_however_large_the_batch()
    {
        using Shirts shirts = new(batchSizeBytesMax: 4096);
        for (int i = 0; i < 60; i++)
        {
            shirts.Add($"{i:D2}", ["blue small", .. Enumerable.Repeat("red", 3 + (i % 5)), "gray large"]);
        }

        shirts.Commit();
        shirts.Find(0, 100, "blue small", "gray large");
        Assert.Equal(60, shirts.Total);
        using IndexReader reader = shirts.Index.BeginRead();
        Assert.True(reader.SegmentCount > 5);
    }

    [Theory]
    [InlineData(SearchEngineType.Corax)]
    [InlineData(SearchEngineType.Lucene)]
    public void A_document_that_is_larger_than_a_batch_is_refused_and_can_be_dropped(SearchEngineType engine)
    {
        using Shirts shirts = new(batchSizeBytesMax: 4096, engine);
        shirts.Add("a", "blue small", "gray large");
        SearchIndexException refused = Assert.Throws<SearchIndexException>(
            () => shirts.Add("b", [.. Enumerable.Repeat("blue small", 1000)]));
        Assert.Contains("4,096 bytes", refused.Message, StringComparison.Ordinal);
        shirts.Delete("b");
        shirts.Add("c", "blue small", "gray large");
        shirts.Commit();
        Assert.Equal("a c", shirts.Find("blue small", "gray large"));
        using IndexReader reader = shirts.Index.BeginRead();
        Assert.Equal(4, reader.EntryCount);
    }

    /// <summary>Documents of which each entry is a few words.</summary>
    private sealed class Shirts : IDisposable
    {
        private readonly SimulatedFileSystem _disk = new();
        private readonly IndexSearcher _searcher = new();
        private IndexBatch? _batch;

        internal Shirts(
            long batchSizeBytesMax = 1 << 20, SearchEngineType engine = SearchEngineType.Corax) =>
            Index = LuceneEngine.Open(
                new SearchIndexOptions
                {
                    Storage = new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() },
                    BatchSizeBytesMax = batchSizeBytesMax,
                },
                engine);

        internal SearchIndex Index { get; }

        internal long Total => _searcher.TotalCount;

        internal void Add(string id, params string[] entries)
        {
            Delete(id);
            IndexField field = _batch!.GetOrAddField("F", FieldKind.FullText, Analyzers.Standard);
            foreach (string entry in entries)
            {
                _batch.BeginEntry(Encoding.UTF8.GetBytes(id));
                _batch.Add(field, Encoding.UTF8.GetBytes(entry));
                _batch.EndEntry();
            }
        }

        internal void Delete(string id) => (_batch ??= Index.BeginBatch()).Delete(Encoding.UTF8.GetBytes(id));

        internal void Commit()
        {
            _batch!.Commit(default);
            _batch = null;
        }

        internal string Find(params string[] conditions)
        {
            string found = Find(0, 100, conditions);
            Assert.Equal(_searcher.TotalCount, _searcher.Count);
            return found.Length == 0 ? "" : string.Join(' ', found.Split(' ').Order(StringComparer.Ordinal));
        }

        internal string Find(int skip, int take, params string[] conditions) =>
            Find(skip, take, isScored: false, conditions);

        internal string Find(int skip, int take, bool isScored, params string[] conditions)
        {
            using IndexReader reader = Index.BeginRead();
            SearchQuery query = new();
            int root = conditions.Select(words => query.Search("F", query.Value(words), isAll: true))
                .ToList().Aggregate(query.Intersect);
            SearchRequest request = new() { Skip = skip, Take = take };
            if (isScored)
            {
                request.Orders.Add(new OrderKey(OrderKind.Score, "", IsDescending: true, NullsLast: true, 0));
            }

            _searcher.Run(reader, query, root, request);
            return string.Join(' ', Enumerable.Range(0, _searcher.Count)
                .Select(i => Encoding.UTF8.GetString(_searcher.DocumentId(i))));
        }

        public void Dispose()
        {
            _batch?.Dispose();
            Index.Dispose();
            _disk.Dispose();
        }
    }
}
