using System.Diagnostics;
using System.Text;
using Raven.Search;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Queries in the process over wikipedia-movies, beside Lucene.Net in the same run: ten results with the exact total, one
/// thread, the same queries, both indexes one segment.
/// </summary>
internal sealed class QueriesSuite : IBenchSuite
{
    private const int QueriesPerShape = 200;
    private const int Seed = 17;
    private const int HalvesMin = 7;

    private readonly HashSet<string> _warm = [];
    private readonly Dictionary<string, (List<double> Ours, List<double> Theirs)> _medians = [];
    private OurSearch _ours = null!;
    private LuceneSearch _lucene = null!;
    private SearchDocuments _movies = null!;
    private MovieWords _words = null!;

    public string Name => "queries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Shapes().Any(shape => context.Wants(shape.Name)))
        {
            yield break;
        }

        if (SearchDocuments.TryLoadMovies(context) is not { } movies)
        {
            yield return BenchRow.Skip("queries in the process", "us", Blittable.DocumentSets.Missing);
            yield break;
        }

        using SearchIndex index = MovieIndex.Create(Path.Combine(context.ScratchDirectory, "queries"));
        MovieIndex.Fill(index, movies, isText: true);
        index.MergeAll();
        using LuceneSearch lucene = new(Path.Combine(context.ScratchDirectory, "queries-lucene"));
        lucene.Fill(movies, isText: true);
        lucene.MergeAll();
        _ours = new OurSearch(index);
        _lucene = lucene;
        _movies = movies;
        _words = new MovieWords(movies);
        foreach (Shape shape in Shapes())
        {
            if (context.Wants(shape.Name))
            {
                yield return RowOf(shape);
                yield return BytesOf(shape);
            }
        }

        if (_medians.Count == Shapes().Count())
        {
            yield return new BenchRow
            {
                Name = $"shapes whose p50 is at most half of that of {LuceneSearch.Name}",
                Unit = "shapes",
                Target = BenchTarget.AtLeast(HalvesMin),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => _medians.Values.Count(
                    both => BenchRunner.Median(both.Ours) <= 0.5 * BenchRunner.Median(both.Theirs)),
            };
        }
    }

    private IEnumerable<Shape> Shapes()
    {
        yield return new("id", QueryOrder.None, random =>
            new(AskedKind.Id, Encoding.UTF8.GetString(_movies.Ids[random.Next(_movies.Count)])));
        yield return new("term of 5 to 50", QueryOrder.Score, random => Word(random, 5, 50));
        yield return new("term of 1k to 20k", QueryOrder.Score, random => Word(random, 1000, 20_000));
        yield return new("keyword", QueryOrder.None, random => new(AskedKind.Keyword, Genre(random)));
        yield return new(
            "keyword, sorted by number", QueryOrder.Number, random => new(AskedKind.Keyword, Genre(random)));
        yield return new("and of mid and common", QueryOrder.Score, random => Two(AskedKind.And, random, 50, 1000));
        yield return new("or of mid and common", QueryOrder.Score, random => Two(AskedKind.Or, random, 50, 1000));
        yield return new(
            "or of two common words", QueryOrder.Score, random => Two(AskedKind.Or, random, 1000, 20_000));
        yield return new("range of 5 years", QueryOrder.None, random => Years(AskedKind.Years, random, 5));
        yield return new("range, sorted", QueryOrder.Number, random => Years(AskedKind.Years, random, 5));
        yield return new("keyword and range of 20 years", QueryOrder.None, random =>
            Years(AskedKind.KeywordInYears, random, 20) with { First = Genre(random) });
        yield return new("prefix of 3 letters", QueryOrder.None, random =>
            new(AskedKind.Prefix, _words.Draw(random, 1, 20_000)[..3]));
        yield return new("wildcard ab*c", QueryOrder.None, random => Pattern(AskedKind.Wildcard, random, "*"));
        yield return new("regex ab[a-m]+c", QueryOrder.None, random => Pattern(AskedKind.Regex, random, "[a-m]+"));
        yield return new("fuzzy 1", QueryOrder.Score, random => Fuzzy(random, 1));
        yield return new("fuzzy 2", QueryOrder.Score, random => Fuzzy(random, 2));
        yield return new("phrase of 2", QueryOrder.Score, random =>
        {
            (string first, string second) = _words.DrawPair(random);
            return new(AskedKind.Phrase, first, second);
        });
    }

    private AskedQuery Word(Random random, int least, int most) =>
        new(AskedKind.Word, _words.Draw(random, least, most));

    private AskedQuery Two(AskedKind kind, Random random, int least, int most) =>
        new(kind, _words.Draw(random, least, most), _words.Draw(random, 1000, 20_000));

    private AskedQuery Fuzzy(Random random, int edits) =>
        new(AskedKind.Fuzzy, _words.Draw(random, 5, 1000), Edits: edits);

    private AskedQuery Pattern(AskedKind kind, Random random, string middle)
    {
        string word = _words.Draw(random, 1, 20_000);
        return new(kind, $"{word[..2]}{middle}{word[^1]}");
    }

    private static AskedQuery Years(AskedKind kind, Random random, int years)
    {
        int first = random.Next(1905, 2020);
        return new(kind, Low: first, High: first + years - 1);
    }

    private string Genre(Random random)
    {
        while (true)
        {
            if (_movies.Keywords[random.Next(_movies.Count)] is { Length: > 0 } genres)
            {
                return Encoding.UTF8.GetString(genres[random.Next(genres.Length)]);
            }
        }
    }

    private BenchRow RowOf(Shape shape)
    {
        AskedQuery[] queries = Choose(shape);
        double ours = queries.Average(query => Ask(query, shape.Order, _ours.Prepare, _ours.Run));
        double theirs = queries.Average(query => Ask(query, shape.Order, _lucene.Prepare, _lucene.Run));
        (List<double> Ours, List<double> Theirs) medians = ([], []);
        _medians[shape.Name] = medians;
        return new BenchRow
        {
            Name = $"{shape.Name}, mean hits {ours:N0} and {theirs:N0}, p50",
            Unit = "us",
            PeerName = LuceneSearch.Name,
            Target = BenchTarget.RatioAtMost(1),
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
        string side, Shape shape, AskedQuery[] queries, Action<AskedQuery, QueryOrder> prepare, Func<long> run)
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

    private BenchRow BytesOf(Shape shape) => new()
    {
        Name = $"{shape.Name}, managed bytes",
        Unit = "B/op",
        Target = BenchTarget.AtMost(0),
        WarmUpRuns = 2,
        Ours = () =>
        {
            _ours.Prepare(shape.Draw(new Random(Seed)), shape.Order);
            _ours.Run();
            return Measure.AllocatedBytesPerOperation(1, () => _ours.Run());
        },
    };

    /// <summary>Queries that find something.</summary>
    private AskedQuery[] Choose(Shape shape)
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

    /// <summary>A kind of query.</summary>
    private sealed record Shape(string Name, QueryOrder Order, Func<Random, AskedQuery> Draw);
}
