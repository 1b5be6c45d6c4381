using System.Text.RegularExpressions;
using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>The functions of strings that take a regular expression or a text.</summary>
internal static class StringPatterns
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.StringPrototype;
        builder.Method(prototype, "split", 2, Split);
        builder.Method(prototype, "replace", 2, (run, self, a) => Replace(run, self, a, all: false));
        builder.Method(prototype, "replaceAll", 2, (run, self, a) => Replace(run, self, a, all: true));
        builder.Method(prototype, "match", 1, Match);
        builder.Method(prototype, "matchAll", 1, MatchAll);
        builder.Method(prototype, "search", 1, (run, self, a) =>
        {
            string text = StringLibrary.Text(run, self).Flat;
            JsRegExp regExp = ToRegExp(run, a.At(0), "");
            Match match = regExp.Find(run, text, 0);
            return new JsValue(match.Success && (!regExp.IsSticky || match.Index == 0) ? match.Index : -1);
        });
    }

    private static JsRegExp ToRegExp(Run run, JsValue value, string flags) =>
        value.AsObject as JsRegExp
        ?? RegExpLibrary.Make(run, value, flags.Length == 0 ? JsValue.Undefined : JsValue.Of(flags));

    private static JsValue Match(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        string text = StringLibrary.Text(run, self).Flat;
        JsRegExp regExp = ToRegExp(run, arguments.At(0), "");
        if (!regExp.IsGlobal)
        {
            Match? single = regExp.Exec(run, text);
            return single is null ? JsValue.Null : RegExpLibrary.ToValue(run, regExp, single, text);
        }

        JsArray result = run.NewArray();
        foreach (Match match in AllMatches(run, regExp, text))
        {
            result.Add(run, run.NewString(match.Value));
        }

        return result.Count == 0 ? JsValue.Null : new JsValue(result);
    }

    private static JsValue MatchAll(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        string text = StringLibrary.Text(run, self).Flat;
        JsRegExp regExp = ToRegExp(run, arguments.At(0), "g");
        if (!regExp.IsGlobal)
        {
            throw run.TypeError("String.prototype.matchAll called with a non-global RegExp argument");
        }

        JsArray result = run.NewArray();
        foreach (Match match in AllMatches(run, regExp, text))
        {
            result.Add(run, RegExpLibrary.ToValue(run, regExp, match, text));
        }

        return NativeIterator.Over(
            run, run.Realm.RegExpIteratorPrototype, ValueIterator.Open(run, new JsValue(result)));
    }

    /// <summary>
    /// All matches of a global expression from the start of the text; empty ones step on by a character.
    /// </summary>
    private static IEnumerable<Match> AllMatches(Run run, JsRegExp regExp, string text)
    {
        int position = 0;
        while (position <= text.Length)
        {
            run.Step();
            Match match = regExp.Find(run, text, position);
            if (!match.Success || (regExp.IsSticky && match.Index != position))
            {
                break;
            }

            yield return match;
            position = match.Length > 0 ? match.Index + match.Length : regExp.Behind(text, match.Index);
        }

        regExp.SetLastIndex(run, 0);
    }

    private static JsValue Split(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsString whole = StringLibrary.Text(run, self);
        string text = whole.Flat;
        uint limit = arguments.At(1).IsUndefined ? uint.MaxValue : Operations.ToUInt32(run, arguments[1]);
        JsArray result = run.NewArray();
        if (limit == 0)
        {
            return new JsValue(result);
        }

        if (arguments.At(0).IsUndefined)
        {
            result.Add(run, new JsValue(whole));
        }
        else if (arguments[0].AsObject is JsRegExp regExp)
        {
            SplitByPattern(run, text, regExp, limit, result);
        }
        else
        {
            SplitByText(run, text, Operations.ToText(run, arguments[0]), limit, result);
        }

        return new JsValue(result);
    }

    private static void SplitByText(Run run, string text, string separator, uint limit, JsArray result)
    {
        int start = 0;
        while (result.Count < limit)
        {
            run.Step();
            if (separator.Length == 0)
            {
                if (start >= text.Length)
                {
                    return;
                }

                result.Add(run, new JsValue(JsString.Of(text[start++])));
                continue;
            }

            int end = text.IndexOf(separator, start, StringComparison.Ordinal);
            if (end < 0)
            {
                result.Add(run, StringLibrary.Part(run, text, start, text.Length));
                return;
            }

            result.Add(run, StringLibrary.Part(run, text, start, end));
            start = end + separator.Length;
        }
    }

    private static void SplitByPattern(Run run, string text, JsRegExp regExp, uint limit, JsArray result)
    {
        if (text.Length == 0)
        {
            if (!regExp.Find(run, text, 0).Success)
            {
                result.Add(run, new JsValue(JsString.Empty));
            }

            return;
        }

        int start = 0;
        int search = 0;
        while (search < text.Length)
        {
            run.Step();
            Match match = regExp.Find(run, text, search);
            if (!match.Success || match.Index >= text.Length)
            {
                break;
            }

            int end = match.Index + match.Length;
            if (end == start || (match.Length == 0 && match.Index == start))
            {
                search = regExp.Behind(text, Math.Max(match.Index, search));
                continue;
            }

            result.Add(run, StringLibrary.Part(run, text, start, match.Index));
            for (int i = 1; i < match.Groups.Count && result.Count < limit; i++)
            {
                result.Add(run, RegExpLibrary.GroupValue(run, match.Groups[i]));
            }

            if (result.Count >= limit)
            {
                return;
            }

            start = end;
            search = match.Length == 0 ? regExp.Behind(text, end) : end;
        }

        result.Add(run, StringLibrary.Part(run, text, start, text.Length));
    }

    private static JsValue Replace(Run run, JsValue self, ReadOnlySpan<JsValue> arguments, bool all)
    {
        JsString whole = StringLibrary.Text(run, self);
        string text = whole.Flat;
        JsFunction? function = arguments.At(1).AsFunction;
        if (arguments.At(0).AsObject is JsRegExp regExp)
        {
            if (all && !regExp.IsGlobal)
            {
                throw run.TypeError("replaceAll must be called with a global RegExp");
            }

            string pattern = function is null ? Operations.ToText(run, arguments.At(1)) : "";
            return ReplacePattern(run, text, regExp, function, pattern);
        }

        string wanted = Operations.ToText(run, arguments.At(0));
        string replacement = function is null ? Operations.ToText(run, arguments.At(1)) : "";
        TextBuilder result = new(run);
        int start = 0;
        int at = text.IndexOf(wanted, StringComparison.Ordinal);
        while (at >= 0)
        {
            run.Step();
            result.Append(text.AsSpan(start, at - start));
            if (function is not null)
            {
                JsValue answer = function.Call(
                    run, JsValue.Undefined, [JsValue.Of(wanted), new JsValue(at), new JsValue(whole)]);
                result.Append(Operations.ToText(run, answer));
            }
            else
            {
                Expand(run, result, replacement, text, at, wanted.Length, null, null);
            }

            start = at + wanted.Length;
            int next = wanted.Length == 0 ? at + 1 : start;
            at = all && next <= text.Length ? text.IndexOf(wanted, next, StringComparison.Ordinal) : -1;
        }

        result.Append(text.AsSpan(start));
        return new JsValue(result.ToJsString());
    }

    private static JsValue ReplacePattern(
        Run run, string text, JsRegExp regExp, JsFunction? function, string replacement)
    {
        TextBuilder result = new(run);
        int start = 0;
        IEnumerable<Match> matches = regExp.IsGlobal ? AllMatches(run, regExp, text)
            : regExp.Exec(run, text) is { } single ? [single] : [];
        foreach (Match match in matches)
        {
            result.Append(text.AsSpan(start, match.Index - start));
            if (function is not null)
            {
                JsValue answer = function.Call(run, JsValue.Undefined, CallbackArguments(run, regExp, match, text));
                result.Append(Operations.ToText(run, answer));
            }
            else
            {
                Expand(run, result, replacement, text, match.Index, match.Length, match, regExp);
            }

            start = match.Index + match.Length;
        }

        result.Append(text.AsSpan(start));
        return new JsValue(result.ToJsString());
    }

    private static JsValue[] CallbackArguments(Run run, JsRegExp regExp, Match match, string text)
    {
        List<JsValue> arguments = [];
        for (int i = 0; i < match.Groups.Count; i++)
        {
            arguments.Add(RegExpLibrary.GroupValue(run, match.Groups[i]));
        }

        arguments.Add(new JsValue(match.Index));
        arguments.Add(JsValue.Of(text));
        JsValue groups = RegExpLibrary.Groups(run, regExp, match);
        if (!groups.IsUndefined)
        {
            arguments.Add(groups);
        }

        run.ChargeBytes(16 * arguments.Count);
        return [.. arguments];
    }

    /// <summary>$$, $&amp;, $`, $', $n and $&lt;name&gt; (ECMA-262, 22.1.3.19.1).</summary>
    private static void Expand(
        Run run, TextBuilder result, string template, string text, int index, int length, Match? match,
            JsRegExp? regExp)
    {
        for (int i = 0; i < template.Length; i++)
        {
            char c = template[i];
            char next = i + 1 < template.Length ? template[i + 1] : '\0';
            if (c != '$')
            {
                result.Append(c);
                continue;
            }

            i++;
            switch (next)
            {
                case '$':
                    result.Append('$');
                    break;
                case '&':
                    result.Append(text.AsSpan(index, length));
                    break;
                case '`':
                    result.Append(text.AsSpan(0, index));
                    break;
                case '\'':
                    result.Append(text.AsSpan(index + length));
                    break;
                default:
                    i += ExpandGroup(run, result, template, i, match, regExp);
                    break;
            }
        }
    }

    /// <summary>
    /// Writes a group, or the dollar itself, and returns how many characters behind it were used, less one.
    /// </summary>
    private static int ExpandGroup(
        Run run, TextBuilder result, string template, int at, Match? match, JsRegExp? regExp)
    {
        int groups = match?.Groups.Count ?? 0;
        if (at < template.Length && char.IsAsciiDigit(template[at]) && match is not null)
        {
            int one = template[at] - '0';
            int two = at + 1 < template.Length && char.IsAsciiDigit(template[at + 1])
                ? (one * 10) + template[at + 1] - '0' : 0;
            if (two > 0 && two < groups)
            {
                result.Append(match.Groups[two].ValueSpan);
                return 1;
            }

            if (one > 0 && one < groups)
            {
                result.Append(match.Groups[one].ValueSpan);
                return 0;
            }
        }

        int end = at < template.Length && template[at] == '<' ? template.IndexOf('>', at) : -1;
        if (end > 0 && regExp is not null && regExp.Pattern.Groups.Any(name => name is not null))
        {
            int group = regExp.Pattern.Groups.ToList().IndexOf(template[(at + 1)..end]);
            if (group > 0)
            {
                result.Append(match!.Groups[group].ValueSpan);
            }

            run.Step();
            return end - at;
        }

        result.Append('$');
        return -1;
    }
}
