using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The rows of queries over one set: the same ones to ours and to Lucene.Net.</summary>
internal sealed class QueryRows
{
    private const int QueriesPerShape = 200;
    private const int Seed = 17;
    private const int HalvesMin = 7;
    private const double BehindRatio = 1.3;

    private readonly HashSet<string> _warm = [];
    private readonly Dictionary<string, (List<double> Ours, List<double> Theirs)> _medians = [];
    private readonly OurSearch _ours;
    private readonly LuceneSearch _lucene;
    private readonly QueryShapes _shapes;

    internal QueryRows(OurSearch ours, LuceneSearch lucene, SearchDocuments documents, MovieWords words)
    {
        (_ours, _lucene) = (ours, lucene);
        _shapes = new QueryShapes(documents, words);
    }

    /// <summary>The rows that are wanted.</summary>
    /// <param name="context">Says which.</param>
    /// <param name="suffix">Ends the names: which set it is.</param>
    internal IEnumerable<BenchRow> All(BenchContext context, string suffix)
    {
        foreach (QueryShape shape in _shapes.All())
        {
            if (context.Wants(shape.Name + suffix))
            {
                yield return RowOf(shape, shape.Name + suffix, BenchTarget.RatioAtMost(1));
                yield return BytesOf(shape, suffix);
            }
        }

        if (_medians.Count == QueryShapes.Names.Count)
        {
            yield return new BenchRow
            {
                Name = $"shapes whose p50 is at most half of that of {LuceneSearch.Name}{suffix}",
                Unit = "shapes",
                Target = BenchTarget.AtLeast(HalvesMin),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => _medians.Values.Count(
                    both => BenchRunner.Median(both.Ours) <= 0.5 * BenchRunner.Median(both.Theirs)),
            };
        }
    }

    /// <summary>Those of an index of the engine Lucene, beside bare Lucene.</summary>
    internal IEnumerable<BenchRow> Behind(BenchContext context) => _shapes.All()
        .Select(shape => (Shape: shape, Name: LuceneSearch.BehindOurs + shape.Name))
        .Where(row => context.Wants(row.Name))
        .Select(row => RowOf(row.Shape, row.Name, BenchTarget.RatioAtMost(BehindRatio)));

    private BenchRow RowOf(QueryShape shape, string name, BenchTarget target)
    {
        AskedQuery[] queries = Choose(shape);
        double ours = queries.Average(query => Ask(query, shape.Order, _ours.Prepare, _ours.Run));
        double theirs = queries.Average(query => Ask(query, shape.Order, _lucene.Prepare, _lucene.Run));
        (List<double> Ours, List<double> Theirs) medians = ([], []);
        _medians[shape.Name] = medians;
        return new BenchRow
        {
            Name = $"{name}, mean hits {ours:N0} and {theirs:N0}, p50",
            Unit = "us",
            PeerName = LuceneSearch.Name,
            Target = target,
            WarmUpRuns = 1,
            Ours = () => Note(medians.Ours, Median("ours " + shape.Name, shape, queries, _ours.Prepare, _ours.Run)),
            Peer = () => Note(
                medians.Theirs, Median("theirs " + shape.Name, shape, queries, _lucene.Prepare, _lucene.Run)),
        };
    }

    private static long Ask(AskedQuery query, QueryOrder order, Action<AskedQuery, QueryOrder> prepare, Func<long> run)
    {
        prepare(query, order);
        return run();
    }

    private static double Note(List<double> medians, double median)
    {
        medians.Add(median);
        return median;
    }

    private double Median(
        string side, QueryShape shape, AskedQuery[] queries, Action<AskedQuery, QueryOrder> prepare, Func<long> run)
    {
        // The first run of a shape continues until its code has its final compiled form.
        if (_warm.Add(side))
        {
            int next = 0;
            Blittable.WarmUp.Run(() => Ask(queries[next++ % queries.Length], shape.Order, prepare, run));
        }

        var ticks = new long[queries.Length];
        for (int i = 0; i < queries.Length; i++)
        {
            prepare(queries[i], shape.Order);
            long start = Stopwatch.GetTimestamp();
            run();
            ticks[i] = Stopwatch.GetTimestamp() - start;
        }

        Array.Sort(ticks);
        return ticks[ticks.Length / 2] * 1e6 / Stopwatch.Frequency;
    }

    private BenchRow BytesOf(QueryShape shape, string suffix) => new()
    {
        Name = $"{shape.Name}{suffix}, managed bytes",
        Unit = "B/op",
        Target = shape.MakesTexts ? BenchTarget.None : BenchTarget.AtMost(0),
        WarmUpRuns = 2,
        Ours = () =>
        {
            _ours.Prepare(shape.Draw(new Random(Seed)), shape.Order);
            _ours.Run();
            return Measure.AllocatedBytesPerOperation(1, () => _ours.Run());
        },
    };

    /// <summary>Queries that find something.</summary>
    private AskedQuery[] Choose(QueryShape shape)
    {
        List<AskedQuery> chosen = [];
        for (int seed = Seed; chosen.Count < QueriesPerShape && seed < Seed + 100_000; seed++)
        {
            AskedQuery query = shape.Draw(new Random(seed));
            if (Ask(query, shape.Order, _ours.Prepare, _ours.Run) > 0)
            {
                chosen.Add(query);
            }
        }

        return [.. chosen];
    }
}
