using System.Text.RegularExpressions;

namespace Raven.Documents.Indexing.Compilation;

/// <summary>Detects the language of a definition, as clients do not send it.</summary>
public static partial class LanguageDetection
{
    /// <summary>
    /// Whether a map or a reduce is JavaScript: it calls <c>map</c>, <c>counters.map</c>, <c>timeSeries.map</c> or
    /// <c>groupBy</c> as a function, which no map in C# can, or declares something first.
    /// </summary>
    public static bool IsJavaScript(string text) => Script().IsMatch(text);

    /// <summary>Whether a map, in either language, runs over counters.</summary>
    internal static bool IsOfCounters(string text) => Counters().IsMatch(text);

    /// <summary>Whether a map, in either language, runs over time series.</summary>
    internal static bool IsOfTimeSeries(string text) => TimeSeries().IsMatch(text);

    [GeneratedRegex(@"^\s*(?:from\s+\w+\s+in\s+)?timeSeries\b", RegexOptions.CultureInvariant)]
    private static partial Regex TimeSeries();

    [GeneratedRegex(@"^\s*(?:from\s+\w+\s+in\s+)?counters\b", RegexOptions.CultureInvariant)]
    private static partial Regex Counters();

    [GeneratedRegex(@"^\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*"
        + @"(?:(?:map|groupBy)\s*\(|(?:counters|timeSeries)\s*\.\s*map\s*\(|(?:function|const|let|var)\b)",
        RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Script();
}
