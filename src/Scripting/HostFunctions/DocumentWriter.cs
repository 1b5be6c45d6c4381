using System.Globalization;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Scripting.Documents;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;

namespace Raven.Scripting.HostFunctions;

/// <summary>
/// Writes values of a script as a stored document, without JSON in between. Unchanged values are copied in their stored
/// form, digit by digit; the rest follows the rules of JSON.stringify.
/// </summary>
internal sealed class DocumentWriter
{
    /// <summary>The default depth of the JSON parser.</summary>
    private const int DepthMax = 128;

    private readonly Run _run;
    private readonly BlittableWriter _writer;
    private readonly List<JsObject> _open = [];

    private readonly bool _keepsUndefined;

    /// <summary>The property whose value is written.</summary>
    private string _property = "";

    private DocumentWriter(Run run, BlittableWriter writer, bool keepsUndefined)
    {
        _run = run;
        _writer = writer;
        _keepsUndefined = keepsUndefined;
    }

    /// <summary>Writes a value.</summary>
    /// <param name="run">Its run.</param>
    /// <param name="value">The value.</param>
    /// <param name="mode">How strings are stored.</param>
    /// <param name="context">The context whose memory receives the value.</param>
    /// <param name="keepsUndefined">
    /// Whether a property that is undefined is written as null; otherwise it is left out.
    /// </param>
    internal static BlittableValue Write(
        Run run, JsValue value, BlittableMode mode, OperationContext context, bool keepsUndefined = false)
    {
        BlittableWriter writer = context.Writer;
        writer.Begin(mode);
        DocumentWriter documents = new(run, writer, keepsUndefined);
        JsValue prepared = documents.Prepare(value, "");
        if (DocumentValues.HasText(prepared))
        {
            documents.WriteValue(prepared);
        }
        else
        {
            writer.Null();
        }

        return writer.Finish();
    }

    private void WriteValue(JsValue value)
    {
        _run.Step();
        switch (value.Kind)
        {
            case Runtime.ValueKind.Number:
                WriteNumber(value);
                break;
            case Runtime.ValueKind.String when value.String.Stored is { } stored:
                stored.Write(_writer);
                break;
            case Runtime.ValueKind.String:
                _run.ChargeText(value.String.Length);
                _writer.String(value.String.Flat);
                break;
            case Runtime.ValueKind.Boolean:
                _writer.Boolean(value.IsTrue);
                break;
            case Runtime.ValueKind.Object:
                WriteObject(value.Object);
                break;
            case Runtime.ValueKind.BigInt:
                throw _run.TypeError("Do not know how to serialize a BigInt: store Number(x) or String(x)");
            default:
                _writer.Null();
                break;
        }
    }

    private void WriteNumber(JsValue value)
    {
        double number = value.Number;
        if (ExactNumber.TryWrite(_writer, value))
        {
            return;
        }

        if (!double.IsFinite(number))
        {
            _writer.Null();
        }
        else if (number == (long)number && Math.Abs(number) <= 1L << 53)
        {
            _writer.Number((long)number);
        }
        else
        {
            Span<byte> text = stackalloc byte[40];
            string formatted = NumberText.Format(number);
            _writer.NumberText(text[..System.Text.Encoding.ASCII.GetBytes(formatted, text)]);
        }
    }

    private void WriteObject(JsObject target)
    {
        if (_open.Contains(target))
        {
            throw _run.TypeError("A document cannot contain itself");
        }

        if (_open.Count >= DepthMax)
        {
            throw _run.RangeError("The document nests too deep");
        }

        _run.CheckStack();
        _open.Add(target);
        switch (target)
        {
            case DocumentObject document:
                WriteDocumentObject(document);
                break;
            case DocumentArray document:
                WriteDocumentArray(document);
                break;
            case JsArray { Class: ObjectClass.Array } array:
                _writer.StartArray();
                for (int i = 0; i < array.Count; i++)
                {
                    WriteElement(array.GetIndex(_run, (uint)i), i);
                }

                _writer.EndArray();
                break;
            default:
                WritePlainObject(target);
                break;
        }

        _open.RemoveAt(_open.Count - 1);
    }

    private void WriteElement(JsValue value, int index)
    {
        JsValue prepared = Prepare(value, value.IsObject ? index.ToString(CultureInfo.InvariantCulture) : "");
        if (DocumentValues.HasText(prepared))
        {
            WriteValue(prepared);
        }
        else
        {
            _writer.Null();
        }
    }

    private void WriteProperty(string name, JsValue value)
    {
        JsValue prepared = Prepare(value, name);
        if (DocumentValues.HasText(prepared))
        {
            WriteName(name);
            _property = name;
            WriteValue(prepared);
        }
        else if (_keepsUndefined && prepared.IsUndefined)
        {
            WriteName(name);
            _writer.Null();
        }
    }

    private void WriteName(string name)
    {
        try
        {
            _writer.Name(name.AsSpan());
        }
        catch (InvalidOperationException)
        {
            // Two names that differ only in broken surrogates are one in UTF-8.
            throw _run.TypeError($"Two properties of one name: {Describe.Key(name)}");
        }
    }

    private void WritePlainObject(JsObject target)
    {
        _writer.StartObject();
        foreach (string name in Objects.EnumerableNames(_run, target))
        {
            WriteProperty(name, target.Get(_run, name));
        }

        _writer.EndObject();
    }

    private void WriteDocumentObject(DocumentObject document)
    {
        BlittableObject source = document.Source;

        // The metadata of the whole document is stored by the caller; anywhere else it is an ordinary value.
        bool isOwnMetadata = _open.Count == 2 && _property == "@metadata";
        SystemMetadata? system = isOwnMetadata ? null : document.System;
        bool isWithin = _keepsUndefined && document.Info is not null && _open.Count > 1;
        if (isWithin)
        {
            HostLibrary.Metadata(_run, new JsValue(document));
        }

        if (source.IsValid && !isWithin && system is null && !document.IsChanged(_run))
        {
            _writer.Value(source.AsValue());
            return;
        }

        _writer.StartObject();
        int[] order = new int[source.Count];
        source.GetOriginalOrder(order);
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            bool isMapped = !document.HasNoMappedProperty
                && document.TryGetMapped(_run, property.GetName(), out JsValue mapped)
                    && !IsStored(mapped, property.Value);
            if (isMapped)
            {
                document.TryGetMapped(_run, property.GetName(), out JsValue value);
                WriteProperty(property.GetName(), Resolve(document, property.GetName(), value));
            }
            else
            {
                _writer.Name(property.Name);
                _writer.Value(property.Value);
            }
        }

        foreach (string name in document.AddedNames(_run))
        {
            document.TryGetMapped(_run, name, out JsValue value);
            WriteProperty(name, Resolve(document, name, value));
        }

        if (document.MadeMetadata is { } metadata && (isWithin || !metadata.HasNoMappedProperty))
        {
            WriteProperty("@metadata", new JsValue(metadata));
        }

        WriteSystem(document, system);
        _writer.EndObject();
    }

    /// <summary>Writes what the server adds to metadata, except values that the script has replaced.</summary>
    private void WriteSystem(DocumentObject document, SystemMetadata? system)
    {
        foreach (string name in system?.NamesIn(_run) ?? [])
        {
            if (!document.TryFind(name, out _) && !document.TryGetMapped(_run, name, out _)
                && system!.TryGet(_run, name, out JsValue value))
            {
                WriteProperty(name, value);
            }
        }
    }

    private JsValue Resolve(DocumentObject document, string name, JsValue value) =>
        value.IsAccessor ? document.Get(_run, name) : value;

    /// <summary>A number that the script set to its stored value keeps its digits.</summary>
    private bool IsStored(JsValue value, BlittableValue stored) =>
        !value.IsObject && !value.IsEmpty && !value.IsAccessor && DocumentValues.Same(_run, value, stored);

    private void WriteDocumentArray(DocumentArray document)
    {
        if (!document.IsChanged(_run))
        {
            _writer.Value(document.Source.AsValue());
            return;
        }

        _writer.StartArray();
        if (document.Own is { } own)
        {
            Dictionary<double, BlittableValue> spelled = document.SpelledNumbers();
            for (int i = 0; i < own.Count; i++)
            {
                JsValue value = own.GetIndex(_run, (uint)i);
                if (value.IsNumber && spelled.TryGetValue(value.Number, out BlittableValue stored)
                    && ExactNumber.DigitsOf(value) is null)
                {
                    _writer.Value(stored);
                }
                else
                {
                    WriteElement(value, i);
                }
            }
        }
        else
        {
            for (int i = 0; i < document.Count; i++)
            {
                bool kept = document.TryGetKept(i, out JsValue value);
                if (!kept || (i < document.Source.Count && IsStored(value, document.Source[i])))
                {
                    _writer.Value(document.Source[i]);
                }
                else
                {
                    WriteElement(value, i);
                }
            }
        }

        _writer.EndArray();
    }

    /// <summary>
    /// The result of toJSON, and primitives instead of their objects; for a date the text form of documents, whose
    /// dates are compared as texts.
    /// </summary>
    private JsValue Prepare(JsValue value, string key)
    {
        if (!value.IsObject || value.Object is DocumentObject or DocumentArray)
        {
            return value;
        }

        if (value.Object is JsDate date && date.IsPlain(_run))
        {
            return double.IsNaN(date.Time) ? JsValue.Null : _run.NewString(DateText.Stored(date.Time));
        }

        if (value.Object.Get(_run, "toJSON").AsFunction is { } toJson)
        {
            value = toJson.Call(_run, value, [JsValue.Of(key)]);
        }

        return value.AsObject is JsPrimitiveObject wrapper ? wrapper.Value : value;
    }
}
