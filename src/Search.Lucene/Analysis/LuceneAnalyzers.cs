using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Lucene.Net.Analysis.Ar;
using Lucene.Net.Analysis.Bg;
using Lucene.Net.Analysis.Br;
using Lucene.Net.Analysis.Ca;
using Lucene.Net.Analysis.Cjk;
using Lucene.Net.Analysis.Ckb;
using Lucene.Net.Analysis.Cn;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Analysis.Cz;
using Lucene.Net.Analysis.Da;
using Lucene.Net.Analysis.De;
using Lucene.Net.Analysis.El;
using Lucene.Net.Analysis.En;
using Lucene.Net.Analysis.Es;
using Lucene.Net.Analysis.Eu;
using Lucene.Net.Analysis.Fa;
using Lucene.Net.Analysis.Fi;
using Lucene.Net.Analysis.Fr;
using Lucene.Net.Analysis.Ga;
using Lucene.Net.Analysis.Gl;
using Lucene.Net.Analysis.Hi;
using Lucene.Net.Analysis.Hu;
using Lucene.Net.Analysis.Hy;
using Lucene.Net.Analysis.Id;
using Lucene.Net.Analysis.It;
using Lucene.Net.Analysis.Lv;
using Lucene.Net.Analysis.Miscellaneous;
using Lucene.Net.Analysis.Nl;
using Lucene.Net.Analysis.No;
using Lucene.Net.Analysis.Pt;
using Lucene.Net.Analysis.Ro;
using Lucene.Net.Analysis.Ru;
using Lucene.Net.Analysis.Shingle;
using Lucene.Net.Analysis.Snowball;
using Lucene.Net.Analysis.Standard;
using Lucene.Net.Analysis.Sv;
using Lucene.Net.Analysis.Tr;
using Lucene.Net.Analysis.Util;
using Lucene.Net.Util;
using Analyzer = Raven.Search.Analysis.Analyzer;
using OfLucene = Lucene.Net.Analysis.Analyzer;

namespace Raven.Search.Lucene.Analysis;

/// <summary>The analyzers of Lucene.Net.Analysis.Common, by their names. Any thread.</summary>
public static class LuceneAnalyzers
{
    private const LuceneVersion Version = LuceneVersion.LUCENE_48;

    // Some are obsolete in Lucene, and its users still name them.
#pragma warning disable CS0618, CS0612
    private static readonly Type[] Types =
    [
        typeof(ArabicAnalyzer), typeof(ArmenianAnalyzer), typeof(BasqueAnalyzer), typeof(BrazilianAnalyzer),
        typeof(BulgarianAnalyzer), typeof(CatalanAnalyzer), typeof(ChineseAnalyzer), typeof(CJKAnalyzer),
        typeof(ClassicAnalyzer), typeof(CzechAnalyzer), typeof(DanishAnalyzer), typeof(DutchAnalyzer),
        typeof(EnglishAnalyzer), typeof(FinnishAnalyzer), typeof(FrenchAnalyzer), typeof(GalicianAnalyzer),
        typeof(GermanAnalyzer), typeof(GreekAnalyzer), typeof(HindiAnalyzer), typeof(HungarianAnalyzer),
        typeof(IndonesianAnalyzer), typeof(IrishAnalyzer), typeof(ItalianAnalyzer), typeof(KeywordAnalyzer),
        typeof(LatvianAnalyzer), typeof(NorwegianAnalyzer), typeof(PatternAnalyzer), typeof(PersianAnalyzer),
        typeof(PortugueseAnalyzer), typeof(RomanianAnalyzer), typeof(RussianAnalyzer),
        typeof(ShingleAnalyzerWrapper), typeof(SimpleAnalyzer), typeof(SnowballAnalyzer), typeof(SoraniAnalyzer),
        typeof(SpanishAnalyzer), typeof(StandardAnalyzer), typeof(StopAnalyzer), typeof(SwedishAnalyzer),
        typeof(TurkishAnalyzer), typeof(UAX29URLEmailAnalyzer), typeof(WhitespaceAnalyzer),
    ];

    private static readonly Type OfSnowball = typeof(SnowballAnalyzer);
    private static readonly Type OfPattern = typeof(PatternAnalyzer);
    private static readonly OfLucene Pattern = PatternAnalyzer.DEFAULT_ANALYZER;
#pragma warning restore CS0618, CS0612

    /// <summary>The names, without their namespaces, in order.</summary>
    public static IEnumerable<string> Names => Types.Select(type => type.Name);

    /// <summary>The names of the stemmers that the option <c>Stemmer</c> takes, in order.</summary>
    public static IEnumerable<string> StemmerNames => Stemmers.Names;

    /// <summary>Finds an analyzer by its name, with or without a namespace, an assembly and options.</summary>
    /// <param name="name">The name.</param>
    /// <param name="analyzer">The analyzer; its own name has the options.</param>
    /// <param name="problem">What is wrong with the name; null if there is no analyzer of this name.</param>
    public static bool TryGet(string name, [NotNullWhen(true)] out Analyzer? analyzer, out string? problem)
    {
        analyzer = null;
        if (!AnalyzerOptions.TryParse(name, out AnalyzerOptions? options, out problem)
            || Array.Find(Types, one => options.IsOf(one.Name)) is not { } type)
        {
            return false;
        }

        if (options.Stemmer is { } stemmer)
        {
            if (Stemmers.Find(stemmer) is not { } known)
            {
                problem = $"there is no stemmer '{stemmer}', but {string.Join(", ", StemmerNames)} and none";
                return false;
            }

            options = options.WithStemmer(known);
        }

        problem = WhyRefused(type, options);
        if (problem is not null)
        {
            return false;
        }

        analyzer = new LuceneAnalyzer(options.Describe(type.FullName!), Create(type, options));
        return true;
    }

    /// <summary>Whether a class is an analyzer of Lucene; loads nothing of Lucene.</summary>
    public static bool IsOne(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        Type? one = type;
        while (one is not null && one.FullName != "Lucene.Net.Analysis.Analyzer")
        {
            one = one.BaseType;
        }

        return one is not null;
    }

    /// <summary>An analyzer of Lucene that a user wrote as one of ours.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="analyzer">A Lucene.Net.Analysis.Analyzer.</param>
    public static Analyzer Wrap(string name, object analyzer) => new LuceneAnalyzer(name, (OfLucene)analyzer);

    /// <summary>The assemblies that an analyzer of Lucene is compiled with.</summary>
    public static IReadOnlyList<Assembly> Assemblies { get; } =
        [typeof(OfLucene).Assembly, typeof(StandardAnalyzer).Assembly, typeof(J2N.Character).Assembly];

    private static string? WhyRefused(Type type, AnalyzerOptions options)
    {
        bool hasStopWords = type == OfSnowball || (type != OfPattern && HasConstructor(type, 1));
        bool hasStemmer = type == OfSnowball || HasConstructor(type, 2);
        return type == OfSnowball && options.Stemmer is null
            ? $"it needs a stemmer, as in 'SnowballAnalyzer(Stemmer=English)': {string.Join(", ", StemmerNames)}"
            : options.StopWords is not null && !hasStopWords ? "it has no option StopWords"
            : options.Excluded is not null && !hasStemmer ? "it has no option Excluded, as it has no stemmer"
            : options.Stemmer is not null && !hasStopWords ? "it has no option Stemmer"
            : null;
    }

    private static OfLucene Create(Type type, AnalyzerOptions options)
    {
        CharArraySet? stopWords = SetOf(options.StopWords);
        CharArraySet? excluded = SetOf(options.Excluded);
        if (type == OfSnowball)
        {
            return new StemmedAnalyzer(type.Name, stopWords ?? SetOf([])!, excluded, options.Stemmer!);
        }

        if (options.Stemmer is not null || (type == typeof(EnglishAnalyzer) && !options.AreUnset))
        {
            // What the engine has by the name of EnglishAnalyzer stems by Porter2, and so it does with options.
            return new StemmedAnalyzer(
                type.Name, stopWords ?? StopWordsOf(type), excluded, options.Stemmer ?? "English");
        }

        if (type == OfPattern)
        {
            return Pattern;
        }

        // What users of Lucene's clients call StandardAnalyzer is the classic one.
        Type made = type == typeof(StandardAnalyzer) ? typeof(ClassicAnalyzer) : type;
        return excluded is not null ? Create(made, stopWords ?? StopWordsOf(made), excluded)
            : stopWords is not null ? Create(made, stopWords)
            : Create(made);
    }

    private static CharArraySet StopWordsOf(Type type) =>
        type.GetProperty("DefaultStopSet", BindingFlags.Public | BindingFlags.Static)?.GetValue(null) as CharArraySet
        ?? ((StopwordAnalyzerBase)Create(type)).StopwordSet;

    private static OfLucene Create(Type type, params CharArraySet[] sets) =>
        HasVersion(type)
            ? (OfLucene)Activator.CreateInstance(type, [Version, .. sets])!
            : (OfLucene)Activator.CreateInstance(type)!;

    private static bool HasVersion(Type type) => type.GetConstructor([typeof(LuceneVersion)]) is not null;

    private static bool HasConstructor(Type type, int sets) => type.GetConstructor(
        [typeof(LuceneVersion), .. Enumerable.Repeat(typeof(CharArraySet), sets)]) is not null;

    private static CharArraySet? SetOf(IReadOnlyList<string>? words) =>
        words is null ? null : new CharArraySet(Version, words, ignoreCase: true);
}
