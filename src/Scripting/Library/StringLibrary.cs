using System.Text;
using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>String without regular expressions (ECMA-262, 22.1). See <see cref="StringPatterns"/>.</summary>
internal static class StringLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.StringPrototype;
        NativeFunction constructor = builder.Constructor(
            "String", 1, prototype,
            (run, _, a) => a.Length == 0 ? new JsValue(JsString.Empty)
                : a[0].IsSymbol ? run.NewString(a[0].Cell!.ToString()!) : new JsValue(Operations.ToJsString(run, a[0])),
            (run, a, newTarget) => new JsValue(new JsPrimitiveObject(
                run, Objects.PrototypeFrom(run, newTarget, prototype),
                a.Length == 0 ? new JsValue(JsString.Empty) : new JsValue(Operations.ToJsString(run, a[0])))));
        BuildConstructor(builder, constructor);
        builder.Method(prototype, "toString", 0, (run, self, _) => ThisString(run, self));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => ThisString(run, self));
        BuildAccess(builder, prototype);
        BuildSearch(builder, prototype);
        BuildParts(builder, prototype);
        BuildShape(builder, prototype);
    }

    /// <summary>The text of this, for functions that work on anything but null and undefined.</summary>
    internal static JsString Text(Run run, JsValue self) =>
        self.IsString ? self.String
        : self.IsNullish ? throw run.TypeError("String.prototype function called on null or undefined")
        : Operations.ToJsString(run, self);

    private static string Flat(Run run, JsValue self) => Text(run, self).Flat;

    private static JsValue ThisString(Run run, JsValue self) =>
        self.IsString ? self
        : self.AsObject is JsPrimitiveObject { Class: ObjectClass.String } wrapper ? wrapper.Value
        : throw run.TypeError("String.prototype.valueOf requires that 'this' be a String");

    private static void BuildConstructor(RealmBuilder builder, JsObject constructor)
    {
        builder.Method(constructor, "fromCharCode", 1, (run, _, a) =>
        {
            TextBuilder text = new(run);
            foreach (JsValue code in a)
            {
                text.Append((char)Operations.ToUInt32(run, code));
            }

            return new JsValue(text.ToJsString());
        });
        builder.Method(constructor, "fromCodePoint", 1, (run, _, a) =>
        {
            TextBuilder text = new(run);
            foreach (JsValue code in a)
            {
                double point = Operations.ToNumber(run, code);
                if (point != Math.Floor(point) || point is < 0 or > 0x10FFFF)
                {
                    throw run.RangeError($"Invalid code point {Describe.Value(code)}");
                }

                if (point > 0xFFFF)
                {
                    text.Append(char.ConvertFromUtf32((int)point));
                }
                else
                {
                    text.Append((char)point);
                }
            }

            return new JsValue(text.ToJsString());
        });
        builder.Method(constructor, "raw", 1, (run, _, a) =>
        {
            JsObject raw = Operations.ToObject(run, Operations.ToObject(run, a.At(0)).Get(run, "raw"));
            long length = Objects.LengthOf(run, raw);
            TextBuilder text = new(run);
            for (long i = 0; i < length; i++)
            {
                run.Step();
                text.Append(Operations.ToText(run, Objects.At(run, raw, i)));
                if (i + 1 < length && i + 1 < a.Length)
                {
                    text.Append(Operations.ToText(run, a[(int)i + 1]));
                }
            }

            return new JsValue(text.ToJsString());
        });
    }

    private static void BuildAccess(RealmBuilder builder, JsObject prototype)
    {
        builder.Method(prototype, "charAt", 1, (run, self, a) =>
            CharacterAt(run, self, Operations.ToInteger(run, a.At(0)), new JsValue(JsString.Empty)));
        builder.Method(prototype, "at", 1, (run, self, a) =>
        {
            double index = Operations.ToInteger(run, a.At(0));
            index = index < 0 ? Text(run, self).Length + index : index;
            return CharacterAt(run, self, index, JsValue.Undefined);
        });
        builder.Method(prototype, "charCodeAt", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            double index = Operations.ToInteger(run, a.At(0));
            return index < 0 || index >= text.Length ? JsValue.NaN : new JsValue(text[(int)index]);
        });
        builder.Method(prototype, "codePointAt", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            double index = Operations.ToInteger(run, a.At(0));
            if (index < 0 || index >= text.Length)
            {
                return JsValue.Undefined;
            }

            int at = (int)index;
            return new JsValue(at + 1 < text.Length && char.IsSurrogatePair(text[at], text[at + 1])
                ? char.ConvertToUtf32(text[at], text[at + 1]) : text[at]);
        });
    }

    private static JsValue CharacterAt(Run run, JsValue self, double index, JsValue missing)
    {
        string text = Flat(run, self);
        return index < 0 || index >= text.Length ? missing : new JsValue(JsString.Of(text[(int)index]));
    }

    private static void BuildSearch(RealmBuilder builder, JsObject prototype)
    {
        builder.Method(prototype, "indexOf", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string wanted = Operations.ToText(run, a.At(0));
            int start = (int)Math.Clamp(Operations.ToInteger(run, a.At(1)), 0, text.Length);
            run.ChargeText(text.Length);
            return new JsValue(text.IndexOf(wanted, start, StringComparison.Ordinal));
        });
        builder.Method(prototype, "lastIndexOf", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string wanted = Operations.ToText(run, a.At(0));
            double position = Operations.ToNumber(run, a.At(1));
            double start = double.IsNaN(position) ? text.Length : Math.Clamp(Math.Truncate(position), 0, text.Length);
            run.ChargeText(text.Length);
            int end = (int)Math.Min(text.Length, start + wanted.Length);
            return new JsValue(text.AsSpan(0, end).LastIndexOf(wanted, StringComparison.Ordinal));
        });
        builder.Method(prototype, "includes", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string wanted = NoPattern(run, a.At(0));
            int start = (int)Math.Clamp(Operations.ToInteger(run, a.At(1)), 0, text.Length);
            run.ChargeText(text.Length);
            return JsValue.Of(text.IndexOf(wanted, start, StringComparison.Ordinal) >= 0);
        });
        builder.Method(prototype, "startsWith", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string wanted = NoPattern(run, a.At(0));
            int start = (int)Math.Clamp(Operations.ToInteger(run, a.At(1)), 0, text.Length);
            return JsValue.Of(text.AsSpan(start).StartsWith(wanted, StringComparison.Ordinal));
        });
        builder.Method(prototype, "endsWith", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string wanted = NoPattern(run, a.At(0));
            int end = a.At(1).IsUndefined ? text.Length
                : (int)Math.Clamp(Operations.ToInteger(run, a.At(1)), 0, text.Length);
            return JsValue.Of(text.AsSpan(0, end).EndsWith(wanted, StringComparison.Ordinal));
        });
        builder.Method(prototype, "localeCompare", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            string other = Operations.ToText(run, a.At(0));
            LocaleOrder.Strength strength = LocaleOrder.ReadOptions(run, a.At(2));
            run.ChargeText(text.Length);
            return new JsValue(LocaleOrder.Compare(run, text, other, strength));
        });
    }

    private static string NoPattern(Run run, JsValue value) =>
        value.AsObject is JsRegExp
            ? throw run.TypeError("First argument must not be a regular expression") : Operations.ToText(run, value);

    private static void BuildParts(RealmBuilder builder, JsObject prototype)
    {
        builder.Method(prototype, "slice", 2, (run, self, a) =>
        {
            string text = Flat(run, self);
            int start = Operations.ToRelative(run, a.At(0), text.Length, 0);
            int end = Operations.ToRelative(run, a.At(1), text.Length, text.Length);
            return Part(run, text, start, end);
        });
        builder.Method(prototype, "substring", 2, (run, self, a) =>
        {
            string text = Flat(run, self);
            int start = (int)Math.Clamp(Operations.ToInteger(run, a.At(0)), 0, text.Length);
            int end = a.At(1).IsUndefined ? text.Length
                : (int)Math.Clamp(Operations.ToInteger(run, a.At(1)), 0, text.Length);
            return Part(run, text, Math.Min(start, end), Math.Max(start, end));
        });
        builder.Method(prototype, "substr", 2, (run, self, a) =>
        {
            string text = Flat(run, self);
            int start = Operations.ToRelative(run, a.At(0), text.Length, 0);
            double length = a.At(1).IsUndefined ? text.Length : Operations.ToInteger(run, a.At(1));
            return Part(run, text, start, (int)Math.Clamp(start + length, 0, text.Length));
        });
        builder.Method(prototype, "concat", 1, (run, self, a) =>
        {
            JsString text = Text(run, self);
            foreach (JsValue part in a)
            {
                text = JsString.Concat(run, text, Operations.ToJsString(run, part));
            }

            return new JsValue(text);
        });
        builder.Method(prototype, JsSymbol.Iterator, 0, (run, self, _) =>
            NativeIterator.Over(
                run, run.Realm.StringIteratorPrototype, ValueIterator.Open(run, new JsValue(Text(run, self)))));
    }

    internal static JsValue Part(Run run, string text, int start, int end)
    {
        if (start >= end)
        {
            return new JsValue(JsString.Empty);
        }

        run.ChargeSteps((end - start) / 64);
        return end - start == 1 ? new JsValue(JsString.Of(text[start])) : run.NewString(text[start..end]);
    }

    private static void BuildShape(RealmBuilder builder, JsObject prototype)
    {
        Simple(builder, prototype, "toUpperCase", CaseMapping.ToUpper);
        Simple(builder, prototype, "toLowerCase", CaseMapping.ToLower);
        Simple(builder, prototype, "toLocaleUpperCase", CaseMapping.ToUpper);
        Simple(builder, prototype, "toLocaleLowerCase", CaseMapping.ToLower);
        Simple(builder, prototype, "trim", text => Trim(text, start: true, end: true));
        Simple(builder, prototype, "trimStart", text => Trim(text, start: true, end: false));
        Simple(builder, prototype, "trimEnd", text => Trim(text, start: false, end: true));
        builder.Method(prototype, "padStart", 2, (run, self, a) => Pad(run, self, a, atStart: true));
        builder.Method(prototype, "padEnd", 2, (run, self, a) => Pad(run, self, a, atStart: false));
        builder.Method(prototype, "repeat", 1, (run, self, a) =>
        {
            string text = Flat(run, self);
            double count = Operations.ToInteger(run, a.At(0));
            if (count < 0 || double.IsInfinity(count))
            {
                throw run.RangeError($"Invalid count value: {Describe.Value(a.At(0))}");
            }

            run.CheckStringLength((long)Math.Min(text.Length * count, long.MaxValue / 2));
            run.ChargeSteps((int)(text.Length * count / 64));
            run.ChargeBytes((long)(text.Length * count) * 2);
            return text.Length == 0 ? new JsValue(JsString.Empty)
                : run.NewString(new StringBuilder().Insert(0, text, (int)count).ToString());
        });
        builder.Method(prototype, "normalize", 0, (run, self, a) =>
        {
            string text = Flat(run, self);
            string form = a.At(0).IsUndefined ? "NFC" : Operations.ToText(run, a[0]);
            if (form is not ("NFC" or "NFD" or "NFKC" or "NFKD"))
            {
                throw run.RangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.");
            }

            string normal = Normalizer.Normalize(run, text, compatible: form.Contains('K'), composes: form[^1] == 'C');
            return ReferenceEquals(normal, text) ? new JsValue(Text(run, self)) : run.NewString(normal);
        });
    }

    private static void Simple(RealmBuilder builder, JsObject prototype, string name, Func<string, string> change) =>
        builder.Method(prototype, name, 0, (run, self, _) =>
        {
            string text = Flat(run, self);
            run.ChargeText(text.Length);
            string changed = change(text);
            return ReferenceEquals(changed, text) && self.IsString ? self : run.NewString(changed);
        });

    private static string Trim(string text, bool start, bool end)
    {
        int from = 0;
        int to = text.Length;
        while (start && from < to && CharacterClass.IsSpaceOrLineEnd(text[from]))
        {
            from++;
        }

        while (end && to > from && CharacterClass.IsSpaceOrLineEnd(text[to - 1]))
        {
            to--;
        }

        return from == 0 && to == text.Length ? text : text[from..to];
    }

    private static JsValue Pad(Run run, JsValue self, ReadOnlySpan<JsValue> arguments, bool atStart)
    {
        JsString text = Text(run, self);
        double wanted = Operations.ToInteger(run, arguments.At(0));
        string filler = arguments.At(1).IsUndefined ? " " : Operations.ToText(run, arguments[1]);
        if (wanted <= text.Length || filler.Length == 0)
        {
            return new JsValue(text);
        }

        run.CheckStringLength((long)Math.Min(wanted, long.MaxValue / 2));
        int missing = (int)wanted - text.Length;
        TextBuilder padding = new(run);
        while (padding.Length < missing)
        {
            run.Step();
            padding.Append(filler.AsSpan(0, Math.Min(filler.Length, missing - padding.Length)));
        }

        JsString pad = padding.ToJsString();
        return new JsValue(atStart ? JsString.Concat(run, pad, text) : JsString.Concat(run, text, pad));
    }
}

/// <summary>Upper and lower case, with the letter whose upper case is two.</summary>
internal static class CaseMapping
{
    internal static string ToUpper(string text) =>
        text.Contains('\u00DF') ? text.ToUpperInvariant().Replace("\u00DF", "SS", StringComparison.Ordinal)
        : text.ToUpperInvariant();

    internal static string ToLower(string text) =>
        text.Contains('\u0130') ? text.Replace("\u0130", "i\u0307", StringComparison.Ordinal).ToLowerInvariant()
        : text.ToLowerInvariant();
}
