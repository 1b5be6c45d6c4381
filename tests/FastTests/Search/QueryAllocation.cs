using Raven.Search;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Plain queries with everything that a server would use again.</summary>
internal sealed class QueryAllocation : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();
    private readonly SearchIndex _index;
    private readonly SearchQuery _query = new();
    private readonly IndexSearcher _searcher = new();
    private readonly SearchRequest _request = new();
    private readonly SearchRequest _sorted = new();
    private readonly SearchRequest _scored = new();

    internal QueryAllocation()
    {
        _index = SearchIndex.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() },
        });
        NaiveIndex naive = new();
        Random random = new(4);
        for (int i = 0; i < 3; i++)
        {
            naive.Step(random, _index, 400, 100_000);
        }

        _sorted.Orders.Add(new OrderKey(OrderKind.Number, "Number", false, true, 0));
        _scored.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
    }

    internal long Run(string shape)
    {
        using IndexReader reader = _index.BeginRead();
        _query.Clear();
        int root = shape switch
        {
            "term" => _query.Equal("Tags", _query.Value("fox"u8)),
            "range" or "sorted" => Range(),
            "and" => _query.And(Range(), _query.Equal("Tags", _query.Value(true))),
            "intersect" => _query.Intersect(Range(), _query.Equal("Tags", _query.Value("fox"u8))),
            "search" => _query.Search("Text", _query.Value("red fox"u8), isAll: false),
            "fuzzy" => _query.Fuzzy("Text", _query.Value("fix"u8), 1),
            "similar" => _query.Similar("Tags", _query.Value("foxes"u8), 0.2f),
            "wildcard" => _query.Wildcard("Text", _query.Value("?o*"u8)),
            "regex" => _query.Regex("Tags", "^(f|m)[a-p]+"),
            "phrase" => _query.Phrase("Text", _query.Value("red fox"u8), 0),
            _ => _query.StartsWith("Name", _query.Value("name r"u8)),
        };
        SearchRequest request = shape is "search" or "phrase" ? _scored : shape == "sorted" ? _sorted : _request;
        _searcher.Run(reader, _query, root, request);
        long bytes = 0;
        for (int i = 0; i < _searcher.Count; i++)
        {
            bytes += _searcher.DocumentId(i).Length;
        }

        return bytes;
    }

    private int Range() => _query.Range("Number", _query.Value(-20L), true, _query.Value(30.5), false);

    public void Dispose()
    {
        _index.Dispose();
        _disk.Dispose();
    }
}
