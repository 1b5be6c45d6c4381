using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The ten nearest of many vectors, made from a seed, beside a plain loop over the same numbers.</summary>
internal sealed class VectorSuite : IBenchSuite
{
    private const int Vectors = 100_000;
    private const int Dimensions = 384;
    private const int Nearest = 10;
    private const int Queries = 11;
    private const string Vector = "V";
    private const string Kind = "Kind";
    private const string Prefix = "10 nearest of 100,000 vectors of 384 dimensions";

    private readonly IndexSearcher _searcher = new();
    private readonly SearchQuery _query = new();
    private readonly SearchRequest _request = new() { Take = Nearest };

    public string Name => "queries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(Prefix))
        {
            yield break;
        }

        _request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        float[][] vectors = Make(Vectors, seed: 1);
        float[][] wanted = Make(Queries, seed: 2);
        foreach (VectorFormat format in (VectorFormat[])[VectorFormat.Single, VectorFormat.Int8, VectorFormat.Binary])
        {
            using SearchIndex index = MovieIndex.Create(Path.Combine(context.ScratchDirectory, $"vectors-{format}"));
            Fill(index, vectors, format);
            bool isSingle = format == VectorFormat.Single;
            yield return new BenchRow
            {
                Name = $"{Prefix}, {format}, p50",
                Unit = "ms",
                PeerName = isSingle ? "a plain loop" : "",
                Ours = () => Median(wanted, one => Run(index, one, hasFilter: false)),
                Peer = isSingle ? () => Median(wanted, one => Loop(vectors, one)) : null,
            };
            yield return new BenchRow
            {
                Name = $"{Prefix}, {format}, of those that meet a condition as a tenth does, p50",
                Unit = "ms",
                Ours = () => Median(wanted, one => Run(index, one, hasFilter: true)),
            };
        }
    }

    private static float[][] Make(int count, int seed)
    {
        Random random = new(seed);
        float[][] vectors = new float[count][];
        for (int i = 0; i < count; i++)
        {
            vectors[i] = new float[Dimensions];
            for (int j = 0; j < Dimensions; j++)
            {
                vectors[i][j] = (float)((random.NextDouble() * 2) - 1);
            }
        }

        return vectors;
    }

    private static void Fill(SearchIndex index, float[][] vectors, VectorFormat format)
    {
        using (IndexBatch batch = index.BeginBatch())
        {
            IndexField field = batch.GetOrAddVectors(Vector, format, Dimensions);
            IndexField kind = batch.GetOrAddField(Kind, FieldKind.Exact, Analyzers.Keyword);
            for (int i = 0; i < vectors.Length; i++)
            {
                batch.BeginEntry(Encoding.ASCII.GetBytes($"vectors/{i}"));
                batch.AddVector(field, vectors[i]);
                batch.Add(kind, (long)(i % 10));
                batch.EndEntry();
            }

            batch.Commit("done"u8);
        }

        index.MergeAll();
    }

    private static double Median(float[][] wanted, Func<float[], int> search)
    {
        double[] times = new double[wanted.Length];
        for (int i = 0; i < wanted.Length; i++)
        {
            int found = 0;
            times[i] = Measure.CpuSeconds(() => found = search(wanted[i])) * 1e3;
            if (found != Nearest)
            {
                throw new InvalidOperationException($"{found} were found.");
            }
        }

        Array.Sort(times);
        return times[times.Length / 2];
    }

    private int Run(SearchIndex index, float[] wanted, bool hasFilter)
    {
        using IndexReader reader = index.BeginRead();
        _query.Clear();
        int near = _query.Nearest(Vector, _query.Vector(wanted), 1, least: 0, Nearest);
        int root = hasFilter ? _query.And(near, _query.Equal(Kind, _query.Value(3L))) : near;
        _searcher.Run(reader, _query, root, _request);
        return _searcher.Count;
    }

    /// <summary>The naive version: all cosines, the greatest ten kept.</summary>
    private static int Loop(float[][] vectors, float[] wanted)
    {
        PriorityQueue<int, double> nearest = new();
        for (int i = 0; i < vectors.Length; i++)
        {
            double dot = 0;
            double left = 0;
            double right = 0;
            for (int j = 0; j < wanted.Length; j++)
            {
                dot += vectors[i][j] * wanted[j];
                left += vectors[i][j] * vectors[i][j];
                right += wanted[j] * wanted[j];
            }

            nearest.Enqueue(i, dot / (Math.Sqrt(left) * Math.Sqrt(right)));
            if (nearest.Count > Nearest)
            {
                nearest.Dequeue();
            }
        }

        return nearest.Count;
    }
}
