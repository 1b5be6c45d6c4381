using Lucene.Net.Analysis;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.El;
using Lucene.Net.Analysis.Fr;
using Lucene.Net.Analysis.Ga;
using Lucene.Net.Analysis.Miscellaneous;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Analysis.Tr;
using Lucene.Net.Analysis.Util;
using Lucene.Net.Util;

namespace Raven.Search.Lucene.Analysis;

/// <summary>What an analyzer of a language is if another stemmer is asked for: words by UAX #29, without the articles
/// that elide in the language, in its lower case, without stop words, stemmed.</summary>
internal sealed class StemmedAnalyzer(
    string language, CharArraySet stopWords, CharArraySet? excluded, string stemmer) : Analyzer
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    private static readonly Dictionary<string, CharArraySet> Articles = new()
    {
        ["CatalanAnalyzer"] = SetOf("d l m n s t"),
        ["FrenchAnalyzer"] = FrenchAnalyzer.DEFAULT_ARTICLES,
        ["IrishAnalyzer"] = SetOf("d m b"),
        ["ItalianAnalyzer"] =
            SetOf("c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d"),
    };

    /// <inheritdoc/>
    protected override TokenStreamComponents CreateComponents(string fieldName, TextReader reader)
    {
        var words = new StandardTokenizer(Version, reader);
        TokenStream stream = new StandardFilter(Version, words);
        if (Articles.TryGetValue(language, out CharArraySet? articles))
        {
            stream = new ElisionFilter(stream, articles);
        }

        stream = language switch
        {
            "GreekAnalyzer" => new GreekLowerCaseFilter(Version, stream),
            "IrishAnalyzer" => new IrishLowerCaseFilter(stream),
            "TurkishAnalyzer" => new TurkishLowerCaseFilter(new ApostropheFilter(stream)),
            _ => new LowerCaseFilter(Version, stream),
        };
        stream = new StopFilter(Version, stream, stopWords);
        if (excluded is not null)
        {
            stream = new SetKeywordMarkerFilter(stream, excluded);
        }

        return new TokenStreamComponents(words, Stemmers.Append(stream, stemmer));
    }

    private static CharArraySet SetOf(string words) => new(Version, words.Split(' '), ignoreCase: true);
}
