using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace FastTests.Search;

/// <summary>Documents with vectors and a kind, kept beside an index by the same random steps; nearest ones are found by
/// looking at each.</summary>
internal sealed class VectorModel(VectorFormat format, int dimensions)
{
    private readonly Dictionary<string, (int Kind, List<float[]> Vectors)> _documents = [];
    private readonly Dictionary<float[], (double[] Numbers, double Length)> _kept = [];

    internal int Count => _documents.Count;

    internal IEnumerable<string> Ids => _documents.Keys.Order(StringComparer.Ordinal);

    /// <summary>One batch of updates and deletes.</summary>
    internal void Step(Random random, SearchIndex index, int documentsMax)
    {
        using IndexBatch batch = index.BeginBatch();
        IndexField vectors = batch.GetOrAddVectors("V", format, 0);
        IndexField kinds = batch.GetOrAddField("Kind", FieldKind.Exact, Analyzers.Keyword);
        for (int i = random.Next(1, documentsMax); i > 0; i--)
        {
            string id = $"d/{random.Next(documentsMax * 3)}";
            batch.Delete(Encoding.UTF8.GetBytes(id));
            _documents.Remove(id);
            if (random.Next(4) == 0)
            {
                continue;
            }

            List<float[]> own = [.. Enumerable.Range(0, random.Next(8) switch { 0 => 0, 1 => 3, _ => 1 })
                .Select(_ => RandomVector(random))];
            int kind = random.Next(5);
            _documents[id] = (kind, own);
            batch.BeginEntry(Encoding.UTF8.GetBytes(id));
            batch.Add(kinds, (long)kind);
            foreach (float[] vector in own)
            {
                batch.AddVector(vectors, vector);
            }

            batch.EndEntry();
        }

        batch.Commit("x"u8);
    }

    internal float[] RandomVector(Random random)
    {
        float[] vector = new float[dimensions];
        float length = random.Next(20) == 0 ? 0 : (float)Math.Pow(10, random.Next(-6, 6));
        for (int i = 0; i < dimensions; i++)
        {
            vector[i] = (float)((random.NextDouble() * 2) - 1) * length;
        }

        return vector;
    }

    internal List<float[]> VectorsOf(string id) => _documents[id].Vectors;

    /// <summary>How near a document is to the nearest of some vectors; below zero if it has none.</summary>
    internal double SimilarityOf(string id, List<float[]> wanted) => _documents.TryGetValue(id, out var document)
        ? document.Vectors.SelectMany(own => wanted.Select(one => Cosine(own, one))).DefaultIfEmpty(-2).Max()
        : -2;

    /// <summary>The similarities of the nearest documents of a kind, the greatest first.</summary>
    internal List<double> Nearest(List<float[]> wanted, Func<int, bool> isOfKind, double least, int count) =>
    [
        .. _documents.Where(pair => isOfKind(pair.Value.Kind)).Select(pair => SimilarityOf(pair.Key, wanted))
            .Where(similarity => similarity >= least - 1e-6).OrderDescending().Take(count),
    ];

    private double Cosine(float[] left, float[] right)
    {
        (double[] a, double lengthOfA) = Kept(left);
        (double[] b, double lengthOfB) = Kept(right);
        double lengths = lengthOfA * lengthOfB;
        return lengths == 0 ? 0 : Product(a, b) / lengths;
    }

    /// <summary>What an index keeps of a vector, and its length; made once for each array.</summary>
    private (double[] Numbers, double Length) Kept(float[] vector)
    {
        if (!_kept.TryGetValue(vector, out (double[] Numbers, double Length) kept))
        {
            float greatest = vector.Max(Math.Abs);
            double[] numbers = format switch
            {
                VectorFormat.Int8 =>
                    [.. vector.Select(x => greatest == 0 ? 0d : MathF.Round(x * (127 / greatest)))],
                VectorFormat.Binary => [.. vector.Select(x => x >= 0 ? 1d : -1d)],
                _ => [.. vector.Select(x => (double)x)],
            };
            _kept.Add(vector, kept = (numbers, Math.Sqrt(Product(numbers, numbers))));
        }

        return kept;
    }

    private static double Product(double[] a, double[] b)
    {
        double sum = 0;
        for (int i = 0; i < a.Length; i++)
        {
            sum += a[i] * b[i];
        }

        return sum;
    }
}
