using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// The ten nearest of a million vectors of texts by graphs, beside USearch; of 100,000 if the filter says "100 k". Our
/// indexes are kept between runs, as building them takes far longer than asking.
/// </summary>
internal sealed class VectorScaleSuite : IBenchSuite
{
    private const int Nearest = 10;
    private const int Queries = 200;
    private const int NumberMax = 1000;
    private const string Small = "100 k";
    private const string Vector = "V";
    private const string Number = "Number";

    private readonly IndexSearcher _searcher = new();
    private readonly SearchQuery _query = new();
    private readonly SearchRequest _request = new() { Take = Nearest };

    public string Name => "vectors";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        bool isSmall = context.Filter?.Contains(Small, StringComparison.Ordinal) == true;
        (int count, string name) = isSmall ? (100_000, Small) : (1_000_000, "1 M");
        string prefix = $"10 nearest of {name} x {TextVectors.Dimensions}";
        if (!MayWant(context, prefix))
        {
            yield break;
        }

        if (SearchDocuments.TryLoadMovies(context) is not { } movies)
        {
            yield return BenchRow.Skip(prefix, "ms", Blittable.DocumentSets.Missing);
            yield break;
        }

        _request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        TextVectors vectors = new(movies.Texts);
        float[][] wanted = [.. Enumerable.Range(0, Queries).Select(i => Draw(vectors, i))];
        foreach (VectorFormat format in (VectorFormat[])[VectorFormat.Single, VectorFormat.Int8, VectorFormat.Binary])
        {
            if (!MayWant(context, $"{prefix} {format}"))
            {
                continue;
            }

            string folder = Path.Combine(
                Path.GetTempPath(), "raven-bench-indexes", string.Create(CultureInfo.InvariantCulture,
                    $"vectors-{count}-{format}"));
            using SearchIndex index = MovieIndex.Create(folder);
            Fill(index, vectors, count, format);
            Tell(string.Create(CultureInfo.InvariantCulture, $"{format}: {SizeOf(folder) / 1e6:F0} MB of files"));
            using UsearchVectors? peer = format == VectorFormat.Single ? Peer(vectors, count, wanted, index) : null;
            foreach (int below in (int[])[NumberMax, 500, 100, 10, 1])
            {
                string condition = below == NumberMax ? "" : $", of those that meet a condition as {below / 10f} % do";
                string row = $"{prefix} {format}{condition}";
                if (context.Wants($"{row}, p50") || context.Wants($"{row}, recall"))
                {
                    yield return Time(row, index, wanted, below, peer);
                    yield return Recall(row, index, wanted, below);
                }
            }
        }
    }

    /// <summary>Whether some row that begins so is wanted.</summary>
    private static bool MayWant(BenchContext context, string beginning) => context.Wants(beginning)
        || context.Filter!.Contains(beginning, StringComparison.OrdinalIgnoreCase);

    private BenchRow Time(string row, SearchIndex index, float[][] wanted, int below, UsearchVectors? peer) => new()
    {
        Name = $"{row}, p50",
        Unit = "ms",
        PeerName = peer is null || below < NumberMax ? "" : UsearchVectors.Name,
        Ours = () => Median(wanted, one => Run(index, one, below, isExact: false)),
        Peer = peer is null || below < NumberMax ? null : () => Median(wanted, one => peer.Nearest(one, Nearest)),
    };

    private BenchRow Recall(string row, SearchIndex index, float[][] wanted, int below) => new()
    {
        Name = $"{row}, recall",
        Unit = "of 1",
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => RecallOf(index, wanted.Take(50), below, one => Run(index, one, below, isExact: false)),
    };

    private double RecallOf(
        SearchIndex index, IEnumerable<float[]> wanted, int below, Func<float[], List<int>> search)
    {
        int found = 0;
        int all = 0;
        foreach (float[] one in wanted)
        {
            List<int> exact = Run(index, one, below, isExact: true);
            found += exact.Intersect(search(one)).Count();
            all += exact.Count;
        }

        return (double)found / all;
    }

    private UsearchVectors Peer(TextVectors vectors, int count, float[][] wanted, SearchIndex index)
    {
        long start = Stopwatch.GetTimestamp();
        UsearchVectors peer = UsearchVectors.Create(vectors, count);
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        double recall = RecallOf(
            index, wanted.Take(50), NumberMax, one => [.. peer.Nearest(one, Nearest).Select(key => (int)key)]);
        double megabytes = peer.SizeInBytes(Path.GetTempPath()) / 1e6;
        Tell(string.Create(
            CultureInfo.InvariantCulture,
            $"{UsearchVectors.Name}: built in {seconds:F0} s, recall {recall:F3}, {megabytes:F0} MB"));
        return peer;
    }

    private static void Fill(SearchIndex index, TextVectors vectors, int count, VectorFormat format)
    {
        const int BatchMax = 20_000;
        int first = index.ReadPosition() is { Length: sizeof(int) } position ? BitConverter.ToInt32(position) : 0;
        long start = Stopwatch.GetTimestamp();
        float[] vector = new float[TextVectors.Dimensions];
        while (first < count)
        {
            using IndexBatch batch = index.BeginBatch();
            IndexField field = batch.GetOrAddVectors(Vector, format, TextVectors.Dimensions);
            IndexField number = batch.GetOrAddField(Number, FieldKind.Exact, Analyzers.Keyword);
            for (int end = Math.Min(count, first + BatchMax); first < end; first++)
            {
                vectors.Draw(first, 0, vector);
                batch.BeginEntry(Encoding.ASCII.GetBytes(first.ToString(CultureInfo.InvariantCulture)));
                batch.AddVector(field, vector);
                batch.Add(number, (long)new Random(first).Next(NumberMax));
                batch.EndEntry();
            }

            batch.Commit(BitConverter.GetBytes(first));
        }

        double written = Stopwatch.GetElapsedTime(start).TotalSeconds;
        index.MergeAll();
        while (index.MergeLarge(() => false))
        {
        }

        double built = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Tell(string.Create(
            CultureInfo.InvariantCulture,
            $"{format}: written in {written:F0} s, merged and its graph built by {built:F0} s"));
    }

    private static float[] Draw(TextVectors vectors, int number)
    {
        float[] vector = new float[TextVectors.Dimensions];
        vectors.Draw(number, 1_000_003, vector);
        return vector;
    }

    private static double Median(float[][] wanted, Action<float[]> search)
    {
        double[] times = new double[wanted.Length];
        for (int i = 0; i < wanted.Length; i++)
        {
            times[i] = Measure.CpuSeconds(() => search(wanted[i])) * 1e3;
        }

        Array.Sort(times);
        return times[times.Length / 2];
    }

    private List<int> Run(SearchIndex index, float[] wanted, int below, bool isExact)
    {
        using IndexReader reader = index.BeginRead();
        _query.Clear();
        int root = _query.Nearest(Vector, _query.Vector(wanted), 1, least: 0, isExact ? int.MaxValue : Nearest);
        if (below < NumberMax)
        {
            root = _query.And(
                root, _query.Range(Number, SearchQuery.Unbounded, true, _query.Value((long)below), false));
        }

        _searcher.Run(reader, _query, root, _request);
        List<int> found = new(Nearest);
        for (int i = 0; i < _searcher.Count; i++)
        {
            found.Add(int.Parse(_searcher.DocumentId(i), NumberStyles.None, CultureInfo.InvariantCulture));
        }

        return found;
    }

    private static long SizeOf(string folder) => new DirectoryInfo(folder)
        .EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);

    private static void Tell(string text) => Console.Error.WriteLine(text);
}
