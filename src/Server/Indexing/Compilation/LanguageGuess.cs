using System.Text.RegularExpressions;

namespace Raven.Server.Indexing.Compilation;

/// <summary>Tells the languages of definitions apart, as clients do not say which it is.</summary>
internal static partial class LanguageGuess
{
    /// <summary>
    /// Whether a map or a reduce is JavaScript: it calls <c>map</c> or <c>groupBy</c> as a function, which no map in C#
    /// can, or declares something first.
    /// </summary>
    internal static bool IsJavaScript(string text) => Script().IsMatch(text);

    [GeneratedRegex(@"^\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*(?:(?:map|groupBy)\s*\(|(?:function|const|let|var)\b)",
        RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Script();
}
