using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

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
    private const double TimeMax = 3;
    private const double RecallMin = 0.95;
    private const string Small = "100 k";
    private const string Vector = "V";
    private const string Number = "Number";
    private const string TimeSuffix = ", p50";
    private const string RecallSuffix = ", recall";
    private const string BuildSuffix = ", build";
    private const string FilesSuffix = ", data file";

    private static readonly VectorFormat[] Formats = [VectorFormat.Single, VectorFormat.Int8, VectorFormat.Binary];

    /// <summary>How many of <see cref="NumberMax"/> meet a condition.</summary>
    private static readonly int[] Shares = [NumberMax, 500, 100, 10, 1];

    /// <summary>Among how many candidates the ten nearest are looked for: the rows that show what they cost.</summary>
    private static readonly int[] Candidates = [64, 128, 256, 512, 1024];

    /// <summary>The ten that are nearest, by a query and a condition: all vectors are read for them.</summary>
    private readonly Dictionary<(float[] Wanted, int Below), List<int>> _exact = [];
    private readonly IndexSearcher _searcher = new();
    private readonly SearchQuery _query = new();
    private readonly SearchRequest _request = new() { Take = Nearest };
    private SearchIndex? _exactOf;

    public string Name => "vectors";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        bool isSmall = context.Filter?.Contains(Small, StringComparison.Ordinal) == true;
        (int count, string name) = isSmall ? (100_000, Small) : (1_000_000, "1 M");
        string prefix = $"10 nearest of {name} x {TextVectors.Dimensions}";
        VectorFormat[] formats = [.. Formats.Where(format => NamesOf($"{prefix} {format}").Any(context.Wants))];
        if (formats.Length == 0)
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
        foreach (VectorFormat format in formats)
        {
            string folder = FolderOf(string.Create(CultureInfo.InvariantCulture, $"vectors-{count}-{format}"));
            using SearchIndex index = MovieIndex.Create(folder);
            Fill(index, vectors, count, format, folder);
            using UsearchVectors? peer = format == VectorFormat.Single ? Peer(vectors, count) : null;
            if (BuildTime.Read(folder) is { } seconds)
            {
                yield return Made($"{prefix} {format}{BuildSuffix}", "s", seconds, BenchTarget.None) with
                {
                    PeerName = peer is null ? "" : UsearchVectors.Name,
                    Peer = peer?.BuiltIn is { } beside ? () => beside : null,
                };
            }

            foreach (BenchRow row in RowsOf($"{prefix} {format}", index, wanted, format, peer))
            {
                yield return row;
            }

            double bytes = (double)count * TextVectors.Dimensions * BitsOf(format) / 8;
            string files = string.Create(
                CultureInfo.InvariantCulture, $"{prefix} {format}{FilesSuffix} beside {bytes / 1e6:F0} MB of numbers");
            yield return Made($"{files}, as it has grown", "x", SizeOf(folder) / bytes, BenchTarget.None);
            yield return Made($"{files}, compacted", "x", CompactedSizeOf(index, context) / bytes, FilesTarget(format));
        }
    }

    /// <summary>The names of the rows of a format.</summary>
    private static IEnumerable<string> NamesOf(string row) =>
    [
        .. Shares.Select(below => ConditionOf(row, below) + TimeSuffix),
        .. Shares.Select(below => ConditionOf(row, below) + RecallSuffix),
        row + BuildSuffix,
        row + FilesSuffix,
    ];

    private static int BitsOf(VectorFormat format) => format switch
    {
        VectorFormat.Single => 32,
        VectorFormat.Int8 => 8,
        _ => 1,
    };

    private static string ConditionOf(string row, int below) => below == NumberMax
        ? row
        : string.Create(CultureInfo.InvariantCulture, $"{row}, of those that meet a condition as {below / 10f} % do");

    private static BenchTarget FilesTarget(VectorFormat format) => format switch
    {
        VectorFormat.Single => BenchTarget.AtMost(1.4),
        VectorFormat.Int8 => BenchTarget.AtMost(1.6),
        _ => BenchTarget.None,
    };

    /// <summary>A figure that is known already.</summary>
    private static BenchRow Made(string name, string unit, double figure, BenchTarget target) => new()
    {
        Name = name,
        Unit = unit,
        Target = target,
        WarmUpRuns = 0,
        Runs = 1,
        Ours = () => figure,
    };

    private IEnumerable<BenchRow> RowsOf(
        string row, SearchIndex index, float[][] wanted, VectorFormat format, UsearchVectors? peer)
    {
        foreach (int below in Shares)
        {
            string name = ConditionOf(row, below);
            (UsearchVectors, int)? beside = below == NumberMax && peer is not null
                ? (peer, EnoughCandidates(peer, index, wanted))
                : null;
            yield return Time(name + TimeSuffix, index, wanted, below, Nearest, beside) with
            {
                Target = beside is null ? BenchTarget.None : BenchTarget.RatioAtMost(1.5),
            };
            if (beside is not null)
            {
                yield return Time($"{name}{TimeSuffix}, by itself", index, wanted, below, Nearest, null) with
                {
                    Target = BenchTarget.AtMost(TimeMax),
                };
            }

            yield return Recall(name + RecallSuffix, index, wanted, below, Nearest, beside) with
            {
                // Many are equally near by their signs alone: which of them are found says nothing.
                Target = format == VectorFormat.Binary ? BenchTarget.None : BenchTarget.AtLeast(RecallMin),
            };
        }

        foreach (int candidates in peer is null ? [] : Candidates)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"{row}, among {candidates} candidates");
            yield return Time(name + TimeSuffix, index, wanted, NumberMax, candidates, (peer!, candidates));
            yield return Recall(name + RecallSuffix, index, wanted, NumberMax, candidates, (peer!, candidates));
        }
    }

    /// <summary>With how many candidates the peer has the recall that is asked of us.</summary>
    private int EnoughCandidates(UsearchVectors peer, SearchIndex index, float[][] wanted)
    {
        foreach (int candidates in Candidates)
        {
            double recall = RecallOf(index, wanted, NumberMax, one => Keys(peer, one, candidates));
            Tell(string.Create(
                CultureInfo.InvariantCulture, $"{UsearchVectors.Name}, {candidates} candidates: recall {recall:F3}"));
            if (recall >= RecallMin)
            {
                return candidates;
            }
        }

        return Candidates[^1];
    }

    private BenchRow Time(
        string name, SearchIndex index, float[][] wanted, int below, int candidates,
        (UsearchVectors Index, int Candidates)? peer) => new()
        {
            Name = name,
            Unit = "ms",
            PeerName = PeerName(peer),
            Target = BenchTarget.None,
            Ours = () => Median(wanted, one => Run(index, one, below, candidates)),
            Peer = peer is not { } beside
            ? null
            : () => Median(wanted, one => beside.Index.Nearest(one, Nearest, beside.Candidates)),
        };

    private BenchRow Recall(
        string name, SearchIndex index, float[][] wanted, int below, int candidates,
        (UsearchVectors Index, int Candidates)? peer) => new()
        {
            Name = name,
            Unit = "of 1",
            PeerName = PeerName(peer),
            Target = BenchTarget.None,
            WarmUpRuns = 0,
            Runs = 1,
            Ours = () => RecallOf(index, wanted, below, one => Run(index, one, below, candidates)),
            Peer = peer is not { } beside
            ? null
            : () => RecallOf(index, wanted, below, one => Keys(beside.Index, one, beside.Candidates)),
        };

    private static string PeerName((UsearchVectors Index, int Candidates)? peer) => peer is not { } beside
        ? ""
        : string.Create(CultureInfo.InvariantCulture, $"{UsearchVectors.Name}, {beside.Candidates} candidates");

    private static List<int> Keys(UsearchVectors peer, float[] wanted, int candidates)
    {
        List<int> keys = [];
        foreach (ulong key in peer.Nearest(wanted, Nearest, candidates))
        {
            keys.Add((int)key);
        }

        return keys;
    }

    private double RecallOf(
        SearchIndex index, IEnumerable<float[]> wanted, int below, Func<float[], List<int>> search)
    {
        int found = 0;
        int all = 0;
        foreach (float[] one in wanted)
        {
            List<int> exact = Exact(index, one, below);
            found += exact.Intersect(search(one)).Count();
            all += exact.Count;
        }

        return (double)found / all;
    }

    private static UsearchVectors Peer(TextVectors vectors, int count)
    {
        string path = FolderOf(string.Create(CultureInfo.InvariantCulture, $"vectors-{count}-usearch"));
        UsearchVectors peer = UsearchVectors.Open(vectors, count, path);
        Tell(string.Create(
            CultureInfo.InvariantCulture,
            $"{UsearchVectors.Name}: built in {peer.BuiltIn ?? 0:F0} s, {new FileInfo(path).Length / 1e6:F0} MB"));
        return peer;
    }

    private static string FolderOf(string name) => Path.Combine(Path.GetTempPath(), "raven-bench-indexes", name);

    /// <summary>Indexes what is not there yet, and builds its graph; notes how long the whole took.</summary>
    private static void Fill(SearchIndex index, TextVectors vectors, int count, VectorFormat format, string folder)
    {
        const int BatchMax = 20_000;
        int first = index.ReadPosition() is { Length: sizeof(int) } position ? BitConverter.ToInt32(position) : 0;
        bool isNew = first == 0;
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
        if (isNew)
        {
            BuildTime.Write(folder, built);
        }
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

    private List<int> Exact(SearchIndex index, float[] wanted, int below)
    {
        if (!_exact.TryGetValue((wanted, below), out List<int>? exact) || _exactOf != index)
        {
            exact = Run(index, wanted, below, int.MaxValue);
            if (_exactOf != index)
            {
                _exactOf = index;
                _exact.Clear();
            }

            _exact[(wanted, below)] = exact;
        }

        return exact;
    }

    private List<int> Run(SearchIndex index, float[] wanted, int below, int candidates)
    {
        using IndexReader reader = index.BeginRead();
        _query.Clear();
        int root = _query.Nearest(Vector, _query.Vector(wanted), 1, least: 0, candidates);
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

    /// <summary>The size of the data file: journals have a fixed one, and are used again.</summary>
    private static long SizeOf(string folder) =>
        new DirectoryInfo(folder).EnumerateFiles("data.*").Sum(file => file.Length);

    /// <summary>What the data file takes if the index is compacted, as an administrator does it.</summary>
    private static long CompactedSizeOf(SearchIndex index, BenchContext context)
    {
        string folder = Path.Combine(context.ScratchDirectory, "compacted");
        Directory.CreateDirectory(folder);
        using (StorageEnvironment target = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(folder), Durability = StorageDurability.Lazy,
        }))
        {
            using ReadTransaction source = index.BeginReadStructures();
            StructureCopy.Run(
                source, target, (ReadOnlySpan<byte> _, out ReadOnlySpan<byte> heap) => heap = default,
                CancellationToken.None);
        }

        long bytes = SizeOf(folder);
        Directory.Delete(folder, recursive: true);
        return bytes;
    }

    private static void Tell(string text) => Console.Error.WriteLine(text);
}
