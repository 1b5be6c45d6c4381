using System.Text.RegularExpressions;

namespace Raven.Scripting.Syntax;

/// <summary>A pattern and its matcher, made once for each literal of a script.</summary>
internal sealed class CompiledPattern
{
    /// <summary>The same pattern translated for texts with surrogate pairs; null without the flag u.</summary>
    private readonly RegExpTranslator? _pairs;

    private CompiledPattern? _withPairs;

    private CompiledPattern(string source, string flags, RegExpTranslator translated, RegExpTranslator? pairs = null)
    {
        _pairs = pairs;
        Source = source.Length == 0 ? "(?:)" : source;
        Flags = string.Concat(flags.Order());
        Groups = translated.Groups;
        SetLength = (pairs ?? translated).SetLength;
        Backtracks = translated.Backtracks;
        RegexOptions options = RegexOptions.CultureInvariant
            | (flags.Contains('i') ? RegexOptions.IgnoreCase : RegexOptions.None)
            | (Backtracks ? RegexOptions.None : RegexOptions.NonBacktracking);
        Matcher = Make(translated.Output, options, Regex.InfiniteMatchTimeout);
        (Pattern, Options) = (translated.Output, options);
    }

    internal string Source { get; }

    internal string Flags { get; }

    internal IReadOnlyList<string?> Groups { get; }

    internal bool Backtracks { get; }

    /// <summary>Characters that sets of the flag u take in the pattern of the matcher.</summary>
    internal int SetLength { get; }

    /// <summary>Matches without a time limit: in linear time, unless the pattern backtracks.</summary>
    internal Regex Matcher { get; }

    private string Pattern { get; }

    private RegexOptions Options { get; }

    /// <exception cref="FormatException">The pattern is invalid, or larger than the matcher allows.</exception>
    internal static CompiledPattern Compile(string pattern, string flags)
    {
        if (pattern.Length > 10_000)
        {
            throw new FormatException("The pattern is too long");
        }

        bool isUnicode = flags.Contains('u');
        return new CompiledPattern(
            pattern,
            flags,
            RegExpTranslator.Translate(pattern, flags, withPairs: false),
            isUnicode ? RegExpTranslator.Translate(pattern, flags, withPairs: true) : null);
    }

    /// <summary>
    /// The matcher for a text that has surrogate pairs: with the flag u another one, made when the first comes.
    /// </summary>
    internal CompiledPattern WithPairs() => _pairs is null ? this
        : LazyInitializer.EnsureInitialized(ref _withPairs, () => new CompiledPattern(Source, Flags, _pairs));

    /// <summary>A matcher that fails after a time.</summary>
    internal Regex WithTimeout(TimeSpan time) => new(Pattern, Options, time);

    private static Regex Make(string pattern, RegexOptions options, TimeSpan time)
    {
        try
        {
            return new Regex(pattern, options, time);
        }
        catch (ArgumentException exception)
        {
            throw new FormatException(exception.Message);
        }
    }
}
