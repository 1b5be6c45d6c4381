using System.Text.RegularExpressions;
using Raven.Scripting.Syntax;

namespace Raven.Scripting;

/// <summary>
/// A regular expression of JavaScript (with its flag u) for texts of others: matched in linear time, or if it looks
/// ahead or back, for a limited time. Any thread.
/// </summary>
public sealed class TextPattern
{
    private static readonly TimeSpan TimeMax = TimeSpan.FromMilliseconds(250);

    private readonly CompiledPattern _pattern;
    private readonly Regex _matcher;
    private Regex? _withPairs;

    private TextPattern(CompiledPattern pattern)
    {
        _pattern = pattern;
        _matcher = MatcherOf(pattern);
    }

    /// <summary>The pattern as it was given.</summary>
    public string Source => _pattern.Source;

    /// <summary>Compiles a pattern.</summary>
    /// <exception cref="FormatException">It is no regular expression, or a too large one.</exception>
    public static TextPattern Compile(string pattern)
    {
        ArgumentNullException.ThrowIfNull(pattern);
        return new TextPattern(CompiledPattern.Compile(pattern, "u"));
    }

    /// <summary>Whether it matches anywhere in a text.</summary>
    /// <exception cref="RegexMatchTimeoutException">It took too long, which only one that looks ahead or back can.
    /// </exception>
    public bool Matches(ReadOnlySpan<char> text)
    {
        bool hasPairs = text.IndexOfAnyInRange('\ud800', '\udfff') >= 0;
        return (hasPairs ? _withPairs ??= MatcherOf(_pattern.WithPairs()) : _matcher).IsMatch(text);
    }

    private static Regex MatcherOf(CompiledPattern pattern) =>
        pattern.Backtracks ? pattern.WithTimeout(TimeMax) : pattern.Matcher;
}
