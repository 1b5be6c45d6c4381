using System.Text;
using Raven.Search;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>A small index of documents with a vector each, on a disk in memory.</summary>
internal sealed class TestVectors : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();
    private readonly VectorFormat _format;

    internal TestVectors(VectorFormat format, float[][] vectors)
    {
        _format = format;
        Index = SearchIndex.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() },
        });
        for (int i = 0; i < vectors.Length; i++)
        {
            Add(i, vectors[i]);
        }
    }

    internal SearchIndex Index { get; }

    internal void Add(int document, float[] vector)
    {
        using IndexBatch batch = Index.BeginBatch();
        IndexField field = batch.GetOrAddVectors("V", _format, 0);
        batch.BeginEntry(Encoding.UTF8.GetBytes($"{document}"));
        if (vector.Length > 0)
        {
            batch.AddVector(field, vector);
        }

        batch.EndEntry();
        batch.Commit("x"u8);
    }

    internal List<(int Document, float Score)> Nearest(float[] vector, float least, int count) =>
        Run(query => query.Nearest("V", query.Vector(vector), 1, least, count), true);

    internal List<(int Document, float Score)> Run(Func<SearchQuery, int> build, bool isScored)
    {
        SearchQuery query = new();
        SearchRequest request = new() { Take = 100 };
        if (isScored)
        {
            request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        }

        IndexSearcher searcher = new();
        using IndexReader reader = Index.BeginRead();
        searcher.Run(reader, query, build(query), request);
        return
        [
            .. Enumerable.Range(0, searcher.Count).Select(i =>
                (int.Parse(Encoding.UTF8.GetString(searcher.DocumentId(i)), null), searcher.Score(i))),
        ];
    }

    public void Dispose()
    {
        Index.Dispose();
        _disk.Dispose();
    }
}
