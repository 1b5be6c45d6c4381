using System.Diagnostics;
using Cloud.Unum.USearch;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The same vectors in an index of USearch, in memory.</summary>
internal sealed class UsearchVectors : IDisposable
{
    internal const string Name = "USearch";

    private const ulong Connectivity = 16;
    private const ulong ExpansionAdd = 100;
    private const ulong ExpansionSearch = 64;

    private readonly USearchIndex _index;

    private UsearchVectors(USearchIndex index, double? builtIn) => (_index, BuiltIn) = (index, builtIn);

    /// <summary>How many seconds the index was built, in this run or an earlier one; null if it is unknown.</summary>
    internal double? BuiltIn { get; }

    /// <summary>Opens the index of a file, or builds it and writes the file.</summary>
    /// <param name="vectors">The vectors.</param>
    /// <param name="count">How many of them.</param>
    /// <param name="path">The file, which is kept between runs.</param>
    internal static UsearchVectors Open(TextVectors vectors, int count, string path)
    {
        if (File.Exists(path))
        {
            return new UsearchVectors(new USearchIndex(path), BuildTime.Read(path));
        }

        long start = Stopwatch.GetTimestamp();
        USearchIndex index = new(
            MetricKind.Cos, ScalarKind.Float32, TextVectors.Dimensions, Connectivity, ExpansionAdd, ExpansionSearch);
        for (int i = 0; i < count; i++)
        {
            float[] vector = new float[TextVectors.Dimensions];
            vectors.Draw(i, 0, vector);
            index.Add((ulong)i, vector);
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        index.Save(path + ".new");
        File.Move(path + ".new", path);
        BuildTime.Write(path, seconds);
        return new UsearchVectors(index, seconds);
    }

    /// <summary>The nearest vectors.</summary>
    /// <param name="wanted">What they should be near to.</param>
    /// <param name="count">How many.</param>
    /// <param name="candidates">Among how many that the walk keeps; the index keeps 64 at least.</param>
    internal ReadOnlySpan<ulong> Nearest(float[] wanted, int count, int candidates)
    {
        // The walk keeps as many as it is asked for, if those are more than its expansion.
        int found = _index.Search(wanted, Math.Max(count, candidates), out ulong[] keys, out _);
        return keys.AsSpan(0, Math.Min(found, count));
    }

    public void Dispose() => _index.Dispose();
}
