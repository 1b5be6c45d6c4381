using System.Text.RegularExpressions;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>RegExp (ECMA-262, 22.2).</summary>
internal static class RegExpLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.RegExpPrototype;
        builder.Constructor(
            "RegExp", 2, prototype,
            (run, _, a) => a.At(0).AsObject is JsRegExp && a.At(1).IsUndefined ? a[0] : Make(run, a),
            (run, a, _) => Make(run, a));
        builder.Method(prototype, "exec", 1, (run, self, a) =>
        {
            JsRegExp regExp = This(run, self);
            string text = Operations.ToText(run, a.At(0));
            Match? match = regExp.Exec(run, text);
            return match is null ? JsValue.Null : ToValue(run, regExp, match, text);
        });
        builder.Method(prototype, "test", 1, (run, self, a) =>
            JsValue.Of(This(run, self).Exec(run, Operations.ToText(run, a.At(0))) is not null));
        builder.Method(prototype, "toString", 0, (run, self, _) =>
        {
            CompiledPattern pattern = This(run, self).Pattern;
            return run.NewString($"/{Source(pattern)}/{pattern.Flags}");
        });
        builder.Getter(prototype, "source", (run, self, _) => run.NewString(Source(This(run, self).Pattern)));
        builder.Getter(prototype, "flags", (run, self, _) => run.NewString(This(run, self).Pattern.Flags));
        foreach ((string name, char flag) in new[]
        {
            ("global", 'g'), ("ignoreCase", 'i'), ("multiline", 'm'), ("dotAll", 's'), ("unicode", 'u'), (
                "sticky", 'y'),
        })
        {
            builder.Getter(prototype, name, (run, self, _) => JsValue.Of(This(run, self).Pattern.Flags.Contains(flag)));
        }
    }

    /// <summary>The array that exec returns.</summary>
    internal static JsValue ToValue(Run run, JsRegExp regExp, Match match, string text)
    {
        JsArray result = run.NewArray(match.Groups.Count);
        for (int i = 0; i < match.Groups.Count; i++)
        {
            result.Add(run, GroupValue(run, match.Groups[i]));
        }

        result.PutOwn(run, "index", new JsValue(match.Index));
        result.PutOwn(run, "input", JsValue.Of(text));
        result.PutOwn(run, "groups", Groups(run, regExp, match));
        return new JsValue(result);
    }

    internal static JsValue GroupValue(Run run, Group group) =>
        group.Success ? run.NewString(group.Value) : JsValue.Undefined;

    internal static JsValue Groups(Run run, JsRegExp regExp, Match match)
    {
        IReadOnlyList<string?> names = regExp.Pattern.Groups;
        if (names.All(name => name is null))
        {
            return JsValue.Undefined;
        }

        run.ChargeBytes(88);
        JsObject groups = new(null);
        for (int i = 1; i < names.Count; i++)
        {
            if (names[i] is { } name)
            {
                groups.PutOwn(run, name, GroupValue(run, match.Groups[i]));
            }
        }

        return new JsValue(groups);
    }

    internal static JsRegExp Make(Run run, JsValue pattern, JsValue flags)
    {
        string source;
        string flagText;
        if (pattern.AsObject is JsRegExp other)
        {
            source = other.Pattern.Source;
            flagText = flags.IsUndefined ? other.Pattern.Flags : Operations.ToText(run, flags);
        }
        else
        {
            source = pattern.IsUndefined ? "" : Operations.ToText(run, pattern);
            flagText = flags.IsUndefined ? "" : Operations.ToText(run, flags);
        }

        // Building a matcher costs tens of microseconds, more for larger patterns.
        run.ChargeSteps(500 + (source.Length * 10));
        run.ChargeBytes(4_000 + (source.Length * 200));
        if (RegExpTranslator.CheckFlags(flagText) is { } reason)
        {
            throw run.SyntaxError(reason);
        }

        try
        {
            CompiledPattern compiled = CompiledPattern.Compile(source, flagText);
            run.ChargeSteps(compiled.SetLength * 20);
            run.ChargeBytes(compiled.SetLength * 100L);
            return new JsRegExp(run, run.Realm.RegExpPrototype, compiled);
        }
        catch (FormatException exception)
        {
            throw run.SyntaxError(
                $"Invalid regular expression: /{MessageText.Cut(source)}/: {MessageText.Cut(exception.Message)}");
        }
    }

    private static JsValue Make(Run run, ReadOnlySpan<JsValue> arguments) =>
        new(Make(run, arguments.At(0), arguments.At(1)));

    private static JsRegExp This(Run run, JsValue self) =>
        self.AsObject as JsRegExp ?? throw run.TypeError("The receiver is not a regular expression");

    private static string Source(CompiledPattern pattern)
    {
        string source = pattern.Source;
        bool plain = !source.Contains('\n');
        if (plain && !source.Contains('/'))
        {
            return source;
        }

        System.Text.StringBuilder text = new();
        bool inClass = false;
        for (int i = 0; i < source.Length; i++)
        {
            char c = source[i];
            if (c == '\\' && i + 1 < source.Length)
            {
                text.Append(c).Append(source[++i]);
                continue;
            }

            inClass = c == '[' || (inClass && c != ']');
            text.Append(c == '/' && !inClass ? "\\/" : c == '\n' ? "\\n" : c.ToString());
        }

        return text.ToString();
    }
}
