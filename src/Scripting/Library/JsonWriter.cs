using System.Globalization;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.Library;

/// <summary>Writes values of the script as JSON text.</summary>
internal sealed class JsonWriter
{
    private readonly Run _run;
    private readonly TextBuilder _text;
    private readonly JsFunction? _replacer;
    private readonly List<string>? _allowed;
    private readonly string _gap;
    private readonly List<JsObject> _open = [];

    private JsonWriter(Run run, JsValue replacer, string gap)
    {
        _run = run;
        _text = new TextBuilder(run);
        _replacer = replacer.AsFunction;
        _allowed = _replacer is null && replacer.AsObject is { } list ? AllowedNames(run, list) : null;
        _gap = gap;
    }

    internal static JsValue Write(Run run, JsValue value, JsValue replacer, JsValue space)
    {
        JsonWriter writer = new(run, replacer, Gap(run, space));
        JsObject holder = run.NewObject();
        holder.PutOwn(run, "", value);
        return writer.TryWrite(holder, "", value) ? new JsValue(writer._text.ToJsString()) : JsValue.Undefined;
    }

    private static string Gap(Run run, JsValue space)
    {
        space = space.AsObject is JsPrimitiveObject wrapper ? wrapper.Value : space;
        return space.IsNumber ? new string(' ', (int)Math.Clamp(Operations.ToInteger(run, space), 0, 10))
            : space.IsString ? space.String.Flat[..Math.Min(10, space.String.Length)] : "";
    }

    private static List<string>? AllowedNames(Run run, JsObject list)
    {
        if (list.Class != ObjectClass.Array)
        {
            return null;
        }

        List<string> names = [];
        for (long i = 0; i < Objects.LengthOf(run, list); i++)
        {
            run.Step();
            JsValue item = Objects.At(run, list, i);
            if (item.IsString || item.IsNumber || item.AsObject is JsPrimitiveObject)
            {
                string name = Operations.ToText(run, item);
                if (!names.Contains(name))
                {
                    names.Add(name);
                }
            }
        }

        return names;
    }

    /// <summary>Writes a value. False if JSON cannot represent it.</summary>
    private bool TryWrite(JsObject holder, string key, JsValue value)
    {
        value = Prepare(holder, key, value);
        bool hasText = HasText(value);
        if (hasText)
        {
            WritePrepared(value);
        }

        return hasText;
    }

    private static bool HasText(JsValue value) =>
        value.Kind is not (ValueKind.Undefined or ValueKind.Symbol) && value.AsFunction is null;

    private JsValue Prepare(JsObject holder, string key, JsValue value)
    {
        if (value.IsObject)
        {
            JsValue method = value.Object.Get(_run, "toJSON");
            if (method.AsFunction is { } toJson)
            {
                value = toJson.Call(_run, value, [JsValue.Of(key)]);
            }
        }

        if (_replacer is not null)
        {
            value = _replacer.Call(_run, new JsValue(holder), [JsValue.Of(key), value]);
        }

        return value.AsObject is JsPrimitiveObject wrapper
            ? wrapper.Class switch
            {
                ObjectClass.Number => new JsValue(Operations.ToNumber(_run, value)),
                ObjectClass.String => new JsValue(Operations.ToJsString(_run, value)),
                _ => wrapper.Value,
            }
            : value;
    }

    private void WriteObject(JsObject target)
    {
        if (_open.Contains(target))
        {
            throw _run.TypeError("Converting circular structure to JSON");
        }

        _run.EnterCall();
        _open.Add(target);
        if (target.Class == ObjectClass.Array || target is Documents.DocumentArray)
        {
            WriteArray(target);
        }
        else
        {
            WriteProperties(target);
        }

        _open.RemoveAt(_open.Count - 1);
        _run.LeaveCall();
    }

    private void WriteArray(JsObject target)
    {
        long length = Objects.LengthOf(_run, target);
        _text.Append('[');
        for (long i = 0; i < length; i++)
        {
            if (i > 0)
            {
                _text.Append(',');
            }

            NewLine(_open.Count);
            if (!TryWrite(target, NumberText.Format(i), Objects.At(_run, target, i)))
            {
                _text.Append("null");
            }
        }

        if (length > 0)
        {
            NewLine(_open.Count - 1);
        }

        _text.Append(']');
    }

    private void WriteProperties(JsObject target)
    {
        _text.Append('{');
        bool any = false;
        IEnumerable<string> names = _allowed ?? Objects.EnumerableNames(_run, target);
        foreach (string name in names)
        {
            JsValue value = Prepare(target, name, target.Get(_run, name));
            if (!HasText(value))
            {
                continue;
            }

            if (any)
            {
                _text.Append(',');
            }

            any = true;
            NewLine(_open.Count);
            Quote(name);
            _text.Append(_gap.Length > 0 ? ": " : ":");
            WritePrepared(value);
        }

        if (any)
        {
            NewLine(_open.Count - 1);
        }

        _text.Append('}');
    }

    /// <summary>Writes a value after its toJSON and the replacer.</summary>
    private void WritePrepared(JsValue value)
    {
        _run.Step();
        switch (value.Kind)
        {
            case ValueKind.Number:
                _text.Append(double.IsFinite(value.Number) ? NumberText.Format(value.Number) : "null");
                break;
            case ValueKind.String:
                Quote(value.String.Flat);
                break;
            case ValueKind.Object:
                WriteObject(value.Object);
                break;
            case ValueKind.BigInt:
                throw _run.TypeError("Do not know how to serialize a BigInt");
            default:
                _text.Append(value.IsNull ? "null" : value.IsTrue ? "true" : "false");
                break;
        }
    }

    private void NewLine(int depth)
    {
        if (_gap.Length == 0)
        {
            return;
        }

        _text.Append('\n');
        for (int i = 0; i < depth; i++)
        {
            _text.Append(_gap);
        }
    }

    private void Quote(string text)
    {
        _text.Append('"');
        int start = 0;
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            bool lone = char.IsSurrogate(c) && !IsPaired(text, i);
            if (c is not ('"' or '\\') && c >= ' ' && !lone)
            {
                continue;
            }

            _text.Append(text.AsSpan(start, i - start));
            start = i + 1;
            _text.Append(c switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\b' => "\\b",
                '\f' => "\\f",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                _ => "\\u" + ((int)c).ToString("x4", CultureInfo.InvariantCulture),
            });
        }

        _text.Append(text.AsSpan(start));
        _text.Append('"');
    }

    private static bool IsPaired(string text, int at) => char.IsHighSurrogate(text[at])
        ? at + 1 < text.Length && char.IsLowSurrogate(text[at + 1])
        : at > 0 && char.IsHighSurrogate(text[at - 1]);
}
