using Cloud.Unum.USearch;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The same vectors in an index of USearch, in memory.</summary>
internal sealed class UsearchVectors : IDisposable
{
    internal const string Name = "USearch";

    private const ulong Connectivity = 16;
    private const ulong ExpansionAdd = 100;
    private const ulong ExpansionSearch = 64;

    private readonly USearchIndex _index = new(
        MetricKind.Cos, ScalarKind.Float32, TextVectors.Dimensions, Connectivity, ExpansionAdd, ExpansionSearch);

    internal static UsearchVectors Create(TextVectors vectors, int count)
    {
        UsearchVectors made = new();
        for (int i = 0; i < count; i++)
        {
            float[] vector = new float[TextVectors.Dimensions];
            vectors.Draw(i, 0, vector);
            made._index.Add((ulong)i, vector);
        }

        return made;
    }

    internal ulong[] Nearest(float[] wanted, int count)
    {
        _index.Search(wanted, count, out ulong[] keys, out _);
        return keys;
    }

    internal long SizeInBytes(string folder)
    {
        string path = Path.Combine(folder, "usearch");
        _index.Save(path);
        return new FileInfo(path).Length;
    }

    public void Dispose() => _index.Dispose();
}
