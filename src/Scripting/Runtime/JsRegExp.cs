using System.Text.RegularExpressions;
using Raven.Scripting.Hosting;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Runtime;

/// <summary>The matchers that backtrack, with the time of this run; kept from run to run.</summary>
internal sealed class TimedMatchers
{
    private const int CountMax = 64;
    private readonly Dictionary<CompiledPattern, Regex> _byPattern = [];
    private TimeSpan _time;

    internal void Use(TimeSpan time)
    {
        if (_time != time || _byPattern.Count > CountMax)
        {
            _byPattern.Clear();
            _time = time;
        }
    }

    internal Regex Get(CompiledPattern pattern)
    {
        if (!_byPattern.TryGetValue(pattern, out Regex? matcher))
        {
            matcher = pattern.WithTimeout(_time);
            _byPattern.Add(pattern, matcher);
        }

        return matcher;
    }
}

/// <summary>A regular expression of the script.</summary>
internal sealed class JsRegExp : JsObject
{
    /// <summary>The text that was looked at last for surrogates, and whether it has any.</summary>
    private string? _seen;
    private bool _seenPairs;

    internal JsRegExp(Run run, JsObject prototype, CompiledPattern pattern)
        : base(prototype, ObjectClass.RegExp)
    {
        Pattern = pattern;
        Define(run, "lastIndex", new JsValue(0), PropertyFlags.Writable);
    }

    internal CompiledPattern Pattern { get; }

    internal bool IsGlobal => Pattern.Flags.Contains('g');

    internal bool IsUnicode => Pattern.Flags.Contains('u');

    internal bool IsSticky => Pattern.Flags.Contains('y');

    /// <summary>
    /// The index at which matching starts; 0 unless global or sticky. Negative if it is beyond the text.
    /// </summary>
    internal int StartIn(Run run, string text)
    {
        if (!IsGlobal && !IsSticky)
        {
            return 0;
        }

        double start = Operations.ToInteger(run, Get(run, "lastIndex"));
        return start > text.Length ? -1 : (int)Math.Max(0, start);
    }

    /// <summary>The place behind one character: with the flag u a pair is one.</summary>
    internal int Behind(string text, int index) =>
        index + (IsUnicode && index + 1 < text.Length && char.IsSurrogatePair(text[index], text[index + 1]) ? 2 : 1);

    internal void SetLastIndex(Run run, int index) => Objects.Put(run, this, "lastIndex", new JsValue(index));

    /// <summary>
    /// Finds a match at or behind a position. A pattern that backtracks is limited to the run's time for it.
    /// </summary>
    internal Match Find(Run run, string text, int start)
    {
        run.ChargeBytes(200);
        CompiledPattern pattern = HasPairs(run, text) ? Pattern.WithPairs() : Pattern;
        Match match = pattern.Backtracks ? FindInTime(run, pattern, text, start) : pattern.Matcher.Match(text, start);
        int end = match.Success ? match.Index + match.Length : text.Length;
        run.ChargeSteps(1 + ((end - start) / 32));
        return match;
    }

    /// <summary>The next match from lastIndex, which it advances; null if there is none.</summary>
    internal Match? Exec(Run run, string text)
    {
        int start = StartIn(run, text);
        Match? match = start < 0 ? null : Find(run, text, start);
        bool found = match is { Success: true } && (!IsSticky || match.Index == start);
        if (IsGlobal || IsSticky)
        {
            SetLastIndex(run, found ? match!.Index + match.Length : 0);
        }

        return found ? match : null;
    }

    /// <summary>Whether the flag u has to look for pairs in the text.</summary>
    private bool HasPairs(Run run, string text)
    {
        if (!IsUnicode)
        {
            return false;
        }

        if (!ReferenceEquals(_seen, text))
        {
            run.ChargeText(text.Length);
            (_seen, _seenPairs) = (text, text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF') >= 0);
        }

        return _seenPairs;
    }

    private static Match FindInTime(Run run, CompiledPattern pattern, string text, int start)
    {
        try
        {
            return run.Matchers.Get(pattern).Match(text, start);
        }
        catch (RegexMatchTimeoutException)
        {
            throw run.Limit(
                ScriptFailure.RegExpTime,
                $"A regular expression took longer than {run.RegExpTime.TotalMilliseconds} ms");
        }
    }
}
