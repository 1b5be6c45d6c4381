using System.Diagnostics;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Queries in the process over wikipedia-movies, top 10 with the exact total, one thread. The targets are what
/// Lucene.Net 4.8 was recorded with for the same shapes; queries are drawn so that they find about as much as those
/// did.
/// </summary>
internal sealed class QueriesSuite : IBenchSuite
{
    private const int QueriesPerShape = 200;
    private const int Seed = 17;

    private readonly SearchQuery _query = new();
    private readonly IndexSearcher _searcher = new();
    private readonly SearchRequest _plain = new();
    private readonly SearchRequest _scored = new();
    private readonly SearchRequest _sorted = new();
    private readonly HashSet<string> _warm = [];
    private readonly Dictionary<string, List<double>> _ratios = [];
    private SearchIndex _index = null!;
    private SearchDocuments _movies = null!;
    private Words _words = null!;

    public string Name => "queries";

    private delegate int Draw(Random random);

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

        _scored.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        _sorted.Orders.Add(new OrderKey(OrderKind.Number, MovieIndex.Number, false, true, 0));
        using SearchIndex index = MovieIndex.Create(Path.Combine(context.ScratchDirectory, "queries"));
        _index = index;
        MovieIndex.Fill(index, movies, isText: true);
        index.MergeAll();
        _movies = movies;
        _words = new Words(movies);
        foreach (Shape shape in Shapes())
        {
            if (context.Wants(shape.Name))
            {
                yield return RowOf(shape);
                yield return BytesOf(shape);
            }
        }

        if (_ratios.Count == Shapes().Count())
        {
            yield return new BenchRow
            {
                Name = "shapes whose p50 is at most half of Lucene.Net's recorded one",
                Unit = "shapes",
                Target = BenchTarget.AtLeast(5),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => _ratios.Values.Count(ratios => BenchRunner.Median(ratios) <= 0.5),
            };
        }
    }

    private IEnumerable<Shape> Shapes()
    {
        yield return new("id", 3.4, 1, _plain, random =>
            _query.Equal("id()", _query.Value(_movies.Ids[random.Next(_movies.Count)])));
        yield return new("term of 5 to 50", 5.2, 14, _scored, random => Word(_words.Draw(random, 5, 50)));
        yield return new("term of 1k to 20k", 24.2, 2625, _scored, random => Word(_words.Draw(random, 1000, 20_000)));
        yield return new("keyword", 9.9, 1775, _plain, random =>
            _query.Equal(MovieIndex.Keyword, _query.Value(Genre(random))));
        yield return new("keyword, sorted by number", 20.7, 1776, _sorted, random =>
            _query.Equal(MovieIndex.Keyword, _query.Value(Genre(random))));
        yield return new("and of mid and common", 22.6, 24, _scored, random =>
            _query.And(Word(_words.Draw(random, 50, 1000)), Word(_words.Draw(random, 1000, 20_000))));
        yield return new("or of mid and common", 60.5, 2870, _scored, random =>
            _query.Or(Word(_words.Draw(random, 50, 1000)), Word(_words.Draw(random, 1000, 20_000))));
        yield return new("range of 5 years", 24.0, 1812, _plain, random => Years(random, 5));
        yield return new("range, sorted", 40.4, 1809, _sorted, random => Years(random, 5));
        yield return new("keyword and range of 20 years", 47.1, 318, _plain, random =>
            _query.And(_query.Equal(MovieIndex.Keyword, _query.Value(Genre(random))), Years(random, 20)));
        yield return new("prefix of 3 letters", 34.3, 2400, _plain, random =>
            _query.StartsWith(MovieIndex.Text, _query.Value(_words.Draw(random, 1, 20_000).AsSpan(0, 3))));
        yield return new("wildcard ab*c", 88.1, 1259, _plain, random =>
        {
            string word = _words.Draw(random, 1, 20_000);
            return _query.Wildcard(MovieIndex.Text, _query.Value($"{word[..2]}*{word[^1]}"));
        });
        yield return new("phrase of 2", 49.5, 6, _scored, random =>
            _query.Phrase(MovieIndex.Text, _query.Value(_words.DrawPair(random)), 0));
    }

    private byte[] Genre(Random random)
    {
        while (true)
        {
            if (_movies.Keywords[random.Next(_movies.Count)] is { Length: > 0 } genres)
            {
                return genres[random.Next(genres.Length)];
            }
        }
    }

    private int Word(string word) => _query.Search(MovieIndex.Text, _query.Value(word), isAll: true);

    private int Years(Random random, int years)
    {
        long first = random.Next(1905, 2020);
        return _query.Range(MovieIndex.Number, _query.Value(first), true, _query.Value(first + years - 1), true);
    }

    private BenchRow RowOf(Shape shape)
    {
        int[] seeds = Choose(shape, out double hits);
        var ticks = new long[QueriesPerShape];
        return new BenchRow
        {
            Name = $"{shape.Name}, mean hits {hits:N0} of recorded {shape.Hits:N0}, p50",
            Unit = "us",
            Target = BenchTarget.AtMost(shape.RecordedMicroseconds),
            WarmUpRuns = 1,
            Ours = () =>
            {
                WarmUp(shape, seeds);
                for (int i = 0; i < seeds.Length; i++)
                {
                    _query.Clear();
                    int root = shape.Draw(new Random(seeds[i]));
                    long start = Stopwatch.GetTimestamp();
                    Run(root, shape.Request);
                    ticks[i] = Stopwatch.GetTimestamp() - start;
                }

                Array.Sort(ticks);
                double median = ticks[ticks.Length / 2] * 1e6 / Stopwatch.Frequency;
                NoteRatio(shape, median);
                return median;
            },
        };
    }

    private void NoteRatio(Shape shape, double median)
    {
        if (!_ratios.TryGetValue(shape.Name, out List<double>? ratios))
        {
            _ratios[shape.Name] = ratios = [];
        }

        ratios.Add(median / shape.RecordedMicroseconds);
    }

    private BenchRow BytesOf(Shape shape)
    {
        int root = 0;
        return new BenchRow
        {
            Name = $"{shape.Name}, managed bytes",
            Unit = "B/op",
            Target = BenchTarget.AtMost(0),
            WarmUpRuns = 2,
            Ours = () =>
            {
                _query.Clear();
                root = shape.Draw(new Random(Seed));
                Run(root, shape.Request);
                return Measure.AllocatedBytesPerOperation(1, () => Run(root, shape.Request));
            },
        };
    }

    private void Run(int root, SearchRequest request)
    {
        using IndexReader reader = _index.BeginRead();
        _searcher.Run(reader, _query, root, request);
        for (int i = 0; i < _searcher.Count; i++)
        {
            _ = _searcher.DocumentId(i);
        }
    }

    /// <summary>The first run of a shape continues until its code has its final compiled form.</summary>
    private void WarmUp(Shape shape, int[] seeds)
    {
        if (_warm.Add(shape.Name))
        {
            int next = 0;
            Blittable.WarmUp.Run(() =>
            {
                _query.Clear();
                Run(shape.Draw(new Random(seeds[next++ % seeds.Length])), shape.Request);
            });
        }
    }

    /// <summary>Takes a drawn query if it keeps the mean of the hits near the recorded one.</summary>
    private int[] Choose(Shape shape, out double hits)
    {
        List<int> seeds = [];
        double sum = 0;
        for (int seed = Seed; seeds.Count < QueriesPerShape && seed < Seed + 100_000; seed++)
        {
            _query.Clear();
            Run(shape.Draw(new Random(seed)), shape.Request);
            double mean = seeds.Count == 0 ? 0 : sum / seeds.Count;
            double next = (sum + _searcher.TotalCount) / (seeds.Count + 1);
            bool isNear = Math.Abs(next - shape.Hits) <= shape.Hits * 0.05;
            if (_searcher.TotalCount > 0 && (isNear || Math.Abs(next - shape.Hits) < Math.Abs(mean - shape.Hits)))
            {
                seeds.Add(seed);
                sum += _searcher.TotalCount;
            }
        }

        hits = sum / seeds.Count;
        return [.. seeds];
    }

    /// <summary>A kind of query, what Lucene.Net needs for it and what it found.</summary>
    private sealed record Shape(
        string Name, double RecordedMicroseconds, double Hits, SearchRequest Request, Draw Draw);

    /// <summary>The words of the texts and how many of them have each.</summary>
    private sealed class Words
    {
        private readonly List<string[]> _texts = [];
        private readonly Dictionary<string, int> _frequencies = [];
        private readonly Dictionary<(int, int), string[]> _drawn = [];

        internal Words(SearchDocuments documents)
        {
            TokenBuffer tokens = new();
            foreach (byte[] text in documents.Texts)
            {
                tokens.Clear();
                Analyzers.Standard.Analyze(text, tokens, 0);
                _texts.Add([.. tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token)))]);
                foreach (string word in _texts[^1].Distinct())
                {
                    _frequencies[word] = _frequencies.GetValueOrDefault(word) + 1;
                }
            }
        }

        internal string Draw(Random random, int least, int most)
        {
            if (!_drawn.TryGetValue((least, most), out string[]? words))
            {
                words = [.. _frequencies.Where(word => word.Value >= least && word.Value <= most
                    && word.Key.Length > 3 && word.Key.All(char.IsAsciiLetter))
                    .Select(word => word.Key).Order(StringComparer.Ordinal)];
                _drawn[(least, most)] = words;
            }

            return words[random.Next(words.Length)];
        }

        internal string DrawPair(Random random)
        {
            while (true)
            {
                string[] text = _texts[random.Next(_texts.Count)];
                if (text.Length > 1 && random.Next(text.Length - 1) is var at)
                {
                    return $"{text[at]} {text[at + 1]}";
                }
            }
        }
    }
}
