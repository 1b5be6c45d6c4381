using System.Diagnostics.CodeAnalysis;
using Raven.Search.Analysis;

namespace Raven.Search.Lucene.Analysis;

/// <summary>A name with options, as a field names its analyzer: <c>GermanAnalyzer(Stemmer=German2; StopWords=der
/// die)</c>.</summary>
internal sealed record AnalyzerOptions
{
    internal const string Syntax = "options stand behind the name as in "
        + "'GermanAnalyzer(StopWords=der die; Excluded=haus; Stemmer=German2)'";

    private const int LengthMax = 32 << 10;
    private const string None = "none";

    /// <summary>The name of the class, without namespace and assembly.</summary>
    internal required string Name { get; init; }

    /// <summary>The words that are left out; null for those of the analyzer.</summary>
    internal IReadOnlyList<string>? StopWords { get; private init; }

    /// <summary>The words that keep their endings; null for those of the analyzer.</summary>
    internal IReadOnlyList<string>? Excluded { get; private init; }

    /// <summary>The name of a stemmer, empty for none; null for that of the analyzer.</summary>
    internal string? Stemmer { get; private init; }

    /// <summary>Whether there are none.</summary>
    internal bool AreUnset => StopWords is null && Excluded is null && Stemmer is null;

    /// <summary>Reads a name with options.</summary>
    /// <param name="text">The text.</param>
    /// <param name="options">The name and the options.</param>
    /// <param name="problem">What is wrong.</param>
    internal static bool TryParse(
        string text, [NotNullWhen(true)] out AnalyzerOptions? options, [NotNullWhen(false)] out string? problem)
    {
        options = null;
        int open = text.IndexOf('(', StringComparison.Ordinal);
        int close = text.LastIndexOf(')');
        if (text.Length > LengthMax)
        {
            problem = $"a name with its options has at most {LengthMax} characters";
            return false;
        }

        if (open >= 0 ? close < open || !IsAssembly(text[(close + 1)..]) : close >= 0)
        {
            problem = $"its brackets are not closed: {Syntax}";
            return false;
        }

        var named = new AnalyzerOptions
        {
            Name = Analyzers.PlainName(open < 0 ? text : text[..open]),
        };
        foreach (string option in open < 0 ? [] : text[(open + 1)..close].Split(
            ';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (With(named, option) is not { } next)
            {
                problem = $"'{option}' is no option of it: {Syntax}";
                return false;
            }

            named = next;
        }

        options = named;
        problem = null;
        return true;
    }

    /// <summary>Whether they are of the analyzer of a name.</summary>
    internal bool IsOf(string name) => Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    /// <summary>These options with the name of the stemmer as the list has it.</summary>
    internal AnalyzerOptions WithStemmer(string stemmer) => this with { Stemmer = stemmer };

    /// <summary>The options in one form for all ways to write them: the words in order, in lower case.</summary>
    internal string Describe(string name)
    {
        string[] options =
        [
            .. Excluded is null ? [] : new[] { $"Excluded={Join(Excluded)}" },
            .. Stemmer is null ? [] : new[] { $"Stemmer={(Stemmer.Length == 0 ? None : Stemmer)}" },
            .. StopWords is null ? [] : new[] { $"StopWords={Join(StopWords)}" },
        ];
        return options.Length == 0 ? name : $"{name}({string.Join("; ", options)})";
    }

    private static AnalyzerOptions? With(AnalyzerOptions options, string option)
    {
        int equals = option.IndexOf('=', StringComparison.Ordinal);
        string value = option[(equals + 1)..].Trim();
        return equals < 0 ? null : option[..equals].Trim().ToUpperInvariant() switch
        {
            "STOPWORDS" => options with { StopWords = WordsOf(value) },
            "EXCLUDED" => options with { Excluded = WordsOf(value) },
            "STEMMER" => options with { Stemmer = IsNone(value) ? string.Empty : value },
            _ => null,
        };
    }

    private static bool IsNone(string value) => value.Equals(None, StringComparison.OrdinalIgnoreCase);

    private static string[] WordsOf(string value) => IsNone(value)
        ? []
        : [.. value.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(word => word.ToLowerInvariant()).Distinct().Order(StringComparer.Ordinal)];

    private static string Join(IReadOnlyList<string> words) => words.Count == 0 ? None : string.Join(' ', words);

    private static bool IsAssembly(string rest) => rest.Length == 0 || rest.TrimStart().StartsWith(',');
}
