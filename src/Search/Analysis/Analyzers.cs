using System.Diagnostics.CodeAnalysis;

namespace Raven.Search.Analysis;

/// <summary>The analyzers of the engine, under the names that are usual for them.</summary>
public static class Analyzers
{
    /// <summary>Words by the rules of Lucene's ClassicAnalyzer, in lower case, without English stop words.</summary>
    public static Analyzer Standard { get; } =
        new WordAnalyzer("StandardAnalyzer", WordBreaking.Classic, WordFilters.LowerCase | WordFilters.StopWords);

    /// <summary>
    /// The version of <see cref="Standard"/> in indexes of version 1 and 2: words by the rules of UAX #29. Such indexes
    /// are read and written with it until they are rebuilt.
    /// </summary>
    internal static Analyzer OlderStandard { get; } = new WordAnalyzer(
        "StandardAnalyzer",
        WordBreaking.OlderWords,
        WordFilters.LowerCase | WordFilters.StopWords);

    /// <summary>Words by the rules of UAX #29, without English stop words, reduced to their stems by the English
    /// Porter2 algorithm.</summary>
    public static Analyzer English { get; } = new WordAnalyzer(
        "EnglishAnalyzer",
        WordBreaking.Words,
        WordFilters.LowerCase | WordFilters.StopWords | WordFilters.EnglishStems,
        "EnglishAnalyzer/2");

    /// <summary>
    /// The version of <see cref="English"/> in indexes that keep its plain name: a word with other letters than a to z
    /// stays as it is, and words are those of the first version. Such indexes are read and written with it until they
    /// are rebuilt.
    /// </summary>
    internal static Analyzer OlderEnglish { get; } = new WordAnalyzer(
        "EnglishAnalyzer",
        WordBreaking.OlderWords,
        WordFilters.LowerCase | WordFilters.StopWords | WordFilters.EnglishStemsOfAscii);

    /// <summary>Runs of letters in lower case.</summary>
    public static Analyzer Simple { get; } =
        new WordAnalyzer("SimpleAnalyzer", WordBreaking.Letters, WordFilters.LowerCase);

    /// <summary>Runs of letters in lower case, without English stop words.</summary>
    public static Analyzer Stop { get; } =
        new WordAnalyzer("StopAnalyzer", WordBreaking.Letters, WordFilters.LowerCase | WordFilters.StopWords);

    /// <summary>The parts between white space, unchanged.</summary>
    public static Analyzer Whitespace { get; } =
        new WordAnalyzer("WhitespaceAnalyzer", WordBreaking.WhiteSpace, WordFilters.None);

    /// <summary>The whole value as one term, unchanged.</summary>
    public static Analyzer Keyword { get; } = new KeywordAnalyzer("KeywordAnalyzer", isLowerCase: false);

    /// <summary>The whole value as one term, in lower case.</summary>
    public static Analyzer LowerCaseKeyword { get; } =
        new KeywordAnalyzer("LowerCaseKeywordAnalyzer", isLowerCase: true);

    /// <summary>Every run of two to six characters of each word, in lower case.</summary>
    public static Analyzer NGram { get; } = new NGramAnalyzer("NGramAnalyzer", 2, 6);

    private static readonly Analyzer[] All =
        [Standard, English, Simple, Stop, Whitespace, Keyword, LowerCaseKeyword, NGram];

    /// <summary>The names of all.</summary>
    public static IEnumerable<string> Names => All.Select(one => one.Name);

    /// <summary>Finds an analyzer by its name; a namespace before it and an assembly behind it, as other products write
    /// them, are ignored.</summary>
    public static bool TryGet(string name, [NotNullWhen(true)] out Analyzer? analyzer)
    {
        string last = PlainName(name);
        last = last.StartsWith("Raven", StringComparison.OrdinalIgnoreCase) ? last[5..] : last;
        analyzer = Array.Find(All, one => one.Name.Equals(last, StringComparison.OrdinalIgnoreCase));
        return analyzer is not null;
    }

    /// <summary>The name of the class in a name that may have a namespace before it and an assembly behind
    /// it.</summary>
    public static string PlainName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        int end = name.IndexOf(',', StringComparison.Ordinal);
        string type = (end < 0 ? name : name[..end]).Trim();
        return type[(type.LastIndexOf('.') + 1)..];
    }

    /// <summary>The analyzer that an index was written with, if what the engine does by that name has changed
    /// since.</summary>
    /// <param name="name">The name as the index keeps it.</param>
    /// <param name="isOfClassicWords">Whether the index is of a version in which the standard analyzer has the words of
    /// <see cref="Standard"/>.</param>
    internal static Analyzer? FindStored(string name, bool isOfClassicWords) =>
        name == English.StoredName ? English
        : name == OlderEnglish.StoredName ? OlderEnglish
        : name == OlderStandard.StoredName && !isOfClassicWords ? OlderStandard
        : null;
}
