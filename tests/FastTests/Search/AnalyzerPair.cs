using System.Text;
using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.Snowball;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Util;
using Raven.Search.Analysis;
using Raven.Search.Lucene.Analysis;
using Analyzer = Raven.Search.Analysis.Analyzer;
using EnglishStemmer = Lucene.Net.Tartarus.Snowball.Ext.EnglishStemmer;
using KeywordAnalyzer = Lucene.Net.Analysis.Core.KeywordAnalyzer;
using OfLucene = Lucene.Net.Analysis.Analyzer;
using Token = Raven.Search.Analysis.Token;

namespace FastTests.Search;

/// <summary>An analyzer of the engine and the one of Lucene that judges it: the same terms, offsets and
/// positions.</summary>
internal sealed class AnalyzerPair
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    private readonly Analyzer _judge;
    private readonly TokenBuffer _tokens = new();
    private readonly TokenBuffer _judged = new();

    private AnalyzerPair(Analyzer ours, OfLucene judge)
    {
        Ours = ours;
        _judge = LuceneAnalyzers.Wrap("judge", judge);
    }

    internal Analyzer Ours { get; }

    /// <summary>The pairs. Our NGramAnalyzer has none: Lucene's takes no words first.</summary>
    internal static AnalyzerPair[] All() =>
    [
        new(Analyzers.Keyword, new KeywordAnalyzer()),
        new(Analyzers.LowerCaseKeyword, OfLucene.NewAnonymous((_, reader) =>
        {
            var whole = new KeywordTokenizer(reader);
            return new TokenStreamComponents(whole, new LowerCaseFilter(Version, whole));
        })),
        new(Analyzers.Whitespace, new WhitespaceAnalyzer(Version)),
        new(Analyzers.Simple, new SimpleAnalyzer(Version)),
        new(Analyzers.Stop, new StopAnalyzer(Version)),
        new(Analyzers.Standard, new ClassicAnalyzer(Version)),
        new(Analyzers.English, OfLucene.NewAnonymous((_, reader) =>
        {
            var words = new StandardTokenizer(Version, reader);
            TokenStream terms = new LowerCaseFilter(Version, words);
            terms = new StopFilter(Version, terms, StopAnalyzer.ENGLISH_STOP_WORDS_SET);
            return new TokenStreamComponents(words, new SnowballFilter(terms, new EnglishStemmer()));
        })),
    ];

    /// <summary>How the two differ on a text; null if they do not.</summary>
    internal string? Difference(string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text);
        _tokens.Clear();
        _judged.Clear();
        int end = Ours.Analyze(utf8, _tokens, 0);
        int judgedEnd = _judge.Analyze(utf8, _judged, 0);
        int count = Math.Min(_tokens.Count, _judged.Count);
        for (int i = 0; i < count; i++)
        {
            if (!AreSame(_tokens.Tokens[i], _judged.Tokens[i], utf8))
            {
                return $"{Ours.Name}: {Describe(_tokens, i)}, not {Describe(_judged, i)}";
            }
        }

        return _tokens.Count > count ? $"{Ours.Name}: {Describe(_tokens, count)}, not the end"
            : _judged.Count > count ? $"{Ours.Name}: the end, not {Describe(_judged, count)}"
            : end == judgedEnd ? null : $"{Ours.Name}: ends at {end}, not at {judgedEnd}";
    }

    /// <summary>Whether two terms are the same. Of a host with a dot behind it Lucene's term has no dot, and its place
    /// has: ours is the place of the term. Of a word with letters beyond U+FFFF the stem may be another: Lucene's
    /// stemmer takes each of them for two letters.</summary>
    private bool AreSame(in Token ours, in Token judged, ReadOnlySpan<byte> text) =>
        ours.Start == judged.Start && ours.Position == judged.Position
        && (ours.Length == judged.Length
            || (ReferenceEquals(Ours, Analyzers.Standard) && ours.Length + 1 == judged.Length
                && text[ours.Start + ours.Length] == '.'))
        && (_tokens.Term(ours).SequenceEqual(_judged.Term(judged))
            || (ReferenceEquals(Ours, Analyzers.English)
                && text.Slice(ours.Start, ours.Length).ContainsAnyInRange((byte)0xF0, (byte)0xF4)));

    private static string Describe(TokenBuffer tokens, int number)
    {
        Token token = tokens.Tokens[number];
        return $"'{Encoding.UTF8.GetString(tokens.Term(token))}' ({token.Start}, {token.Length}, {token.Position})";
    }
}
