using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Queries over a million short texts, made from a seed.</summary>
internal sealed class ScaleSuite : IBenchSuite
{
    private const int Documents = 1_000_000;
    private const int Vocabulary = 30_000;
    private const int Pairs = 20;
    private const string Facets = "facet over 1 M documents, 3 fields";
    private const string EarlyStop = "early stop";
    private const string Texts = "two words, top 25 by BM25 of 1 M short texts";

    private readonly IndexSearcher _searcher = new();
    private readonly FacetSearcher _facets = new();
    private readonly SearchQuery _query = new();
    private readonly SearchRequest _request = new() { Take = 25 };

    public string Name => "queries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(Facets) && !context.Wants(Texts) && !context.Wants(EarlyStop))
        {
            yield break;
        }

        _request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        byte[][] texts = [.. MakeTexts()];
        using SearchIndex index = MovieIndex.Create(Path.Combine(context.ScratchDirectory, "scale"));
        Fill(index, texts);
        foreach (BenchRow row in EarlyStopRows(index))
        {
            yield return row;
        }

        FacetField[] fields = [new("City", ""), new("Kind", ""), new("Year", "")];
        yield return new BenchRow
        {
            Name = Facets,
            Unit = "ms",
            Target = BenchTarget.AtMost(100),
            Ours = () => Measure.CpuSeconds(() =>
            {
                using IndexReader reader = index.BeginRead();
                _query.Clear();
                _facets.Run(reader, _query, _query.All(), fields);
            }) * 1e3,
        };
        if (!SqliteSearch.IsInstalled(out string why))
        {
            yield return BenchRow.Skip(Texts, "us", why);
            yield break;
        }

        using SqliteSearch peer = new(Path.Combine(context.ScratchDirectory, "scale-fts5"));
        peer.Fill(texts);
        yield return new BenchRow
        {
            Name = Texts,
            Unit = "us",
            PeerName = "SQLite FTS5",
            Target = BenchTarget.RatioAtMost(0.2),
            WarmUpRuns = 1,
            Ours = () => PerPair(words => Run(index, words, isAll: true, _request)),
            Peer = () => PerPair(words => peer.Search(words, _request.Take)),
        };
    }

    /// <summary>What cannot be among the results is not scored, of one word not even read.</summary>
    private IEnumerable<BenchRow> EarlyStopRows(SearchIndex index)
    {
        SearchRequest all = new() { Take = Documents };
        all.Orders.Add(_request.Orders[0]);
        foreach ((string name, bool isAll, string[] words) in new[]
        {
            ("a word that a quarter of 1 M short texts has", true, (string[])["word0"]),
            ("a word that 1,000 to 27,000 of 1 M short texts have", true, ["word5", "word50", "word500"]),
            ("any of two words of 1 M short texts", false, ["word7 word300", "word50 word80"]),
        })
        {
            yield return new BenchRow
            {
                Name = $"{EarlyStop}, {name}, top 25 by BM25",
                Unit = "us",
                PeerName = "all of them by BM25",
                WarmUpRuns = 2,
                Ours = () => PerQuery(words, one => Run(index, one, isAll, _request)),
                Peer = () => PerQuery(words, one => Run(index, one, isAll, all)),
            };
        }
    }

    private static double PerQuery(string[] queries, Func<string, long> search)
    {
        long found = 0;
        double seconds = Measure.CpuSeconds(() =>
        {
            for (int i = 0; i < Pairs; i++)
            {
                found += search(queries[i % queries.Length]);
            }
        });
        return found > 0 ? seconds * 1e6 / Pairs : throw new InvalidOperationException("Nothing was found.");
    }

    private static double PerPair(Func<string, long> search)
    {
        Random random = new(5);
        long found = 0;
        double seconds = Measure.CpuSeconds(() =>
        {
            for (int i = 0; i < Pairs; i++)
            {
                found += search($"{Word(random)} {Word(random)}");
            }
        });
        return found > 0 ? seconds * 1e6 / Pairs : throw new InvalidOperationException("Nothing was found.");
    }

    /// <summary>Common words often, rare ones seldom, as in a language.</summary>
    private static string Word(Random random) => $"word{(int)(Vocabulary * Math.Pow(random.NextDouble(), 3))}";

    private static IEnumerable<byte[]> MakeTexts()
    {
        Random random = new(1);
        for (int i = 0; i < Documents; i++)
        {
            yield return Encoding.ASCII.GetBytes(string.Join(' ', Enumerable.Range(0, 8).Select(_ => Word(random))));
        }
    }

    private static void Fill(SearchIndex index, byte[][] texts)
    {
        Random random = new(2);
        using (IndexBatch batch = index.BeginBatch())
        {
            IndexField text = batch.GetOrAddField(MovieIndex.Text, FieldKind.FullText, Analyzers.Standard);
            IndexField city = batch.GetOrAddField("City", FieldKind.Exact, Analyzers.Keyword);
            IndexField kind = batch.GetOrAddField("Kind", FieldKind.Exact, Analyzers.Keyword);
            IndexField year = batch.GetOrAddField("Year", FieldKind.Exact, Analyzers.Keyword);
            for (int i = 0; i < texts.Length; i++)
            {
                batch.BeginEntry(Encoding.ASCII.GetBytes($"texts/{i}"));
                batch.Add(text, texts[i]);
                batch.Add(city, Encoding.ASCII.GetBytes($"city{random.Next(5000)}"));
                batch.Add(kind, Encoding.ASCII.GetBytes($"kind{random.Next(20)}"));
                batch.Add(year, (long)random.Next(1900, 2030));
                batch.EndEntry();
            }

            batch.Commit("done"u8);
        }

        index.MergeAll();
    }

    private long Run(SearchIndex index, string words, bool isAll, SearchRequest request)
    {
        using IndexReader reader = index.BeginRead();
        _query.Clear();
        _searcher.Run(reader, _query, _query.Search(MovieIndex.Text, _query.Value(words), isAll), request);
        return _searcher.TotalCount;
    }
}
