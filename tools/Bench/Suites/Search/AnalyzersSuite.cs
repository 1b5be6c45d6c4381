using System.Text;
using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.De;
using Lucene.Net.Analysis.Snowball;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Analysis.TokenAttributes;
using Lucene.Net.Tartarus.Snowball.Ext;
using Lucene.Net.Util;
using Raven.Search.Analysis;
using Raven.Search.Lucene.Analysis;
using Analyzer = Raven.Search.Analysis.Analyzer;
using OfLucene = Lucene.Net.Analysis.Analyzer;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// How fast texts are cut into terms, on one thread: the engine's analyzers over UTF-8 beside those of Lucene.Net that
/// give the same terms, over strings as Lucene takes them; and one of Lucene's by its name beside the bare one.
/// </summary>
internal sealed class AnalyzersSuite : IBenchSuite
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;
    private const double Ratio = 2;

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        const string Standard = "terms of the standard analyzer, texts of wikipedia-movies";
        const string English = "terms of the English analyzer, texts of wikipedia-movies";
        const string German = "terms of GermanAnalyzer by its name, texts of wikipedia-movies";
        if (!context.Wants(Standard) && !context.Wants(English) && !context.Wants(German))
        {
            yield break;
        }

        if (SearchDocuments.TryLoadMovies(context) is not { } documents)
        {
            yield return BenchRow.Skip(Standard, "MB/s", Blittable.DocumentSets.Missing);
            yield break;
        }

        yield return Row(Standard, documents, Analyzers.Standard, new ClassicAnalyzer(Version), Ratio);
        yield return Row(English, documents, Analyzers.English, NewEnglish(), Ratio);
        yield return LuceneAnalyzers.TryGet("GermanAnalyzer", out Analyzer? german, out string? problem)
            ? Row(German, documents, german, new GermanAnalyzer(Version), ratio: null)
            : BenchRow.Skip(German, "MB/s", problem ?? "there is none");
    }

    private static BenchRow Row(
        string name, SearchDocuments documents, Analyzer ours, OfLucene peer, double? ratio)
    {
        TokenBuffer tokens = new();
        string[] strings = [.. documents.Texts.Select(Encoding.UTF8.GetString)];
        long bytes = documents.Texts.Sum(text => (long)text.Length);
        long count = CountOurs(documents, ours, tokens);
        long peerCount = CountPeer(strings, peer);
        return count != peerCount
            ? throw new InvalidOperationException($"{name}: {count} terms, and {peerCount} of Lucene's.")
            : new BenchRow
            {
                Name = $"{name} ({documents.Count:N0}, {count:N0} terms, CPU)",
                Unit = "MB/s",
                PeerName = LuceneSearch.Name,
                Target = ratio is { } least ? BenchTarget.RatioAtLeast(least) : BenchTarget.None,
                Ours = () => Measure.MegabytesPerCpuSecond(bytes, () => CountOurs(documents, ours, tokens)),
                Peer = () => Measure.MegabytesPerCpuSecond(bytes, () => CountPeer(strings, peer)),
            };
    }

    private static long CountOurs(SearchDocuments documents, Analyzer analyzer, TokenBuffer tokens)
    {
        long count = 0;
        foreach (byte[] text in documents.Texts)
        {
            tokens.Clear();
            analyzer.Analyze(text, tokens, 0);
            count += tokens.Count;
        }

        return count;
    }

    /// <summary>Goes through the terms as Lucene's indexer does, which reads their places and gaps, too.</summary>
    private static long CountPeer(string[] texts, OfLucene analyzer)
    {
        long count = 0;
        long read = 0;
        foreach (string text in texts)
        {
            using TokenStream stream = analyzer.GetTokenStream("text", text);
            ICharTermAttribute term = stream.AddAttribute<ICharTermAttribute>();
            IOffsetAttribute place = stream.AddAttribute<IOffsetAttribute>();
            IPositionIncrementAttribute gap = stream.AddAttribute<IPositionIncrementAttribute>();
            stream.Reset();
            while (stream.IncrementToken())
            {
                count++;
                read += term.Length + place.EndOffset + gap.PositionIncrement;
            }

            stream.End();
        }

        return read < 0 ? read : count;
    }

    /// <summary>What the engine has as EnglishAnalyzer: words by UAX #29, stemmed by Porter2.</summary>
    private static OfLucene NewEnglish() => OfLucene.NewAnonymous((_, reader) =>
    {
        var words = new StandardTokenizer(Version, reader);
        TokenStream terms = new LowerCaseFilter(Version, words);
        terms = new StopFilter(Version, terms, StopAnalyzer.ENGLISH_STOP_WORDS_SET);
        return new TokenStreamComponents(words, new SnowballFilter(terms, new EnglishStemmer()));
    });
}
