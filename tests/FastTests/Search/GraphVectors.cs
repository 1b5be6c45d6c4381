using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Vectors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>
/// An index of documents with vectors that lie in clusters, and the same kept beside it. A document has a number from
/// 0 to 999 that conditions are made of.
/// </summary>
internal sealed class GraphVectors : IDisposable
{
    private const int Clusters = 40;

    /// <summary>As those of texts, vectors of many numbers vary in fewer directions than that.</summary>
    private const int DirectionsMax = 16;

    private readonly VectorFormat _format;
    private readonly int _dimensions;
    private readonly Random _random;
    private readonly float[][] _centers;
    private readonly float[][] _directions;
    private readonly SearchQuery _query = new();
    private readonly IndexSearcher _searcher = new();
    private readonly IFileSystem _files;
    private int _graphVectorsMin;

    /// <param name="seed">The seed of the vectors.</param>
    /// <param name="format">How they are kept.</param>
    /// <param name="dimensions">How many numbers each has.</param>
    /// <param name="graphVectorsMin">How many vectors get a graph.</param>
    /// <param name="files">Where the index is; a disk in memory if null.</param>
    internal GraphVectors(
        int seed, VectorFormat format, int dimensions, int graphVectorsMin = 200, IFileSystem? files = null)
    {
        _files = files ?? Disk;
        _format = format;
        _dimensions = dimensions;
        _random = new Random(seed);
        _graphVectorsMin = graphVectorsMin;
        int directions = Math.Min(dimensions, DirectionsMax);
        _centers = [.. Enumerable.Range(0, Clusters).Select(_ => Around(new float[directions], 1))];
        _directions = [.. Enumerable.Range(0, dimensions).Select(_ => Around(new float[directions], 1))];
        Index = OpenOn(_files);
    }

    internal SimulatedFileSystem Disk { get; } = new();

    internal SearchIndex Index { get; private set; }

    internal long PartBytesMax { get; init; } = 128 << 20;

    internal Dictionary<int, (int Number, float[][] Vectors)> Documents { get; } = [];

    internal long VectorsRead => _searcher.EntriesRead;

    internal SearchIndex OpenOn(IFileSystem disk) => SearchIndex.Open(new SearchIndexOptions
    {
        Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
        InlineMergeBytesMax = 16 << 10,
        GraphVectorsMin = _graphVectorsMin,
        VectorPartBytesMax = PartBytesMax,
        GraphOf = _ => new VectorGraphOptions { Edges = 8, Candidates = 40 },
    });

    internal void Reopen(int graphVectorsMin = 200)
    {
        Index.Dispose();
        _graphVectorsMin = graphVectorsMin;
        Index = OpenOn(_files);
    }

    internal float[] Vector()
    {
        float[] place = Around(_centers[_random.Next(Clusters)], 0.5f);
        float[] vector = new float[_dimensions];
        for (int i = 0; i < _dimensions; i++)
        {
            vector[i] = DotProduct.Of(_directions[i], place);
        }

        return vector;
    }

    /// <summary>One batch: documents of these ids get new vectors, or go.</summary>
    internal void Put(IEnumerable<int> ids, int vectorsEach = 1, int deletedOfTen = 0)
    {
        using IndexBatch batch = Index.BeginBatch();
        IndexField vectors = batch.GetOrAddVectors("V", _format, _dimensions);
        IndexField number = batch.GetOrAddField("Number", FieldKind.Exact, Analyzers.Keyword);
        foreach (int id in ids)
        {
            byte[] key = Encoding.UTF8.GetBytes(id.ToString(CultureInfo.InvariantCulture));
            batch.Delete(key);
            Documents.Remove(id);
            if (_random.Next(10) < deletedOfTen)
            {
                continue;
            }

            float[][] own = [.. Enumerable.Range(0, vectorsEach).Select(_ => Vector())];
            Documents[id] = (_random.Next(1000), own);
            batch.BeginEntry(key);
            batch.Add(number, (long)Documents[id].Number);
            foreach (float[] vector in own)
            {
                batch.AddVector(vectors, vector);
            }

            batch.EndEntry();
        }

        batch.Commit("x"u8);
    }

    /// <summary>Merges all into one segment, and builds its graph.</summary>
    internal void MergeAll()
    {
        Index.MergeAll();
        while (Index.MergeLarge(() => false))
        {
        }
    }

    /// <summary>The nearest of those whose number is below a bound; 1,000 for all.</summary>
    internal List<(int Id, float Score)> Nearest(
        SearchIndex index, float[] wanted, int count, int below = 1000, bool isExact = false)
    {
        using IndexReader reader = index.BeginRead();
        _query.Clear();
        int root = _query.Nearest("V", _query.Vector(wanted), 1, 0, isExact ? int.MaxValue : count);
        if (below < 1000)
        {
            root = _query.And(
                root, _query.Range("Number", SearchQuery.Unbounded, true, _query.Value((long)below), false));
        }

        SearchRequest request = new() { Take = count };
        request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        _searcher.Run(reader, _query, root, request);
        return
        [
            .. Enumerable.Range(0, _searcher.Count).Select(i => (
                int.Parse(Encoding.UTF8.GetString(_searcher.DocumentId(i)), CultureInfo.InvariantCulture),
                _searcher.Score(i))),
        ];
    }

    /// <summary>
    /// The share of the ten nearest that is found; asserts that what is found is there, allowed and rightly scored.
    /// </summary>
    internal double Recall(int queries, int below = 1000, string where = "")
    {
        int found = 0;
        int expected = 0;
        for (int i = 0; i < queries; i++)
        {
            float[] wanted = Vector();
            List<(int Id, float Score)> exact = Nearest(Index, wanted, 10, below, isExact: true);
            List<(int Id, float Score)> near = Nearest(Index, wanted, 10, below);
            float least = exact.Count == 0 ? 0 : exact[^1].Score;
            Assert.True(exact.Count == near.Count, $"{where}: {near.Count} instead of {exact.Count}");
            for (int hit = 0; hit < near.Count; hit++)
            {
                Assert.True(Documents[near[hit].Id].Number < below, $"{where}: {near[hit].Id} is not allowed");
                Assert.True(hit == 0 || near[hit].Score <= near[hit - 1].Score, $"{where}: order");
                found += near[hit].Score >= least ? 1 : 0;
            }

            Assert.Equal(near.Count, near.Select(hit => hit.Id).Distinct().Count());
            expected += exact.Count;
        }

        return expected == 0 ? 1 : (double)found / expected;
    }

    public void Dispose()
    {
        Index.Dispose();
        Disk.Dispose();
    }

    private float[] Around(float[] center, float spread)
    {
        float[] vector = new float[center.Length];
        for (int i = 0; i < vector.Length; i++)
        {
            vector[i] = center[i] + (spread * (float)((_random.NextDouble() * 2) - 1));
        }

        return vector;
    }
}
