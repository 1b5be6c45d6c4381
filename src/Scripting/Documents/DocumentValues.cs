using Raven.Blittable.Reading;
using Raven.Scripting.Runtime;
using Raven.Scripting.Text;
using StoredKind = Raven.Blittable.Format.ValueKind;

namespace Raven.Scripting.Documents;

/// <summary>Stored values as values of the script: scalars are converted, objects and arrays become proxies.</summary>
internal static class DocumentValues
{
    internal static JsValue ToValue(Run run, BlittableValue stored)
    {
        switch (stored.Kind)
        {
            case StoredKind.True:
                return JsValue.True;
            case StoredKind.False:
                return JsValue.False;
            case StoredKind.Integer or StoredKind.Number:
                return ExactNumber.Read(run, stored);
            case StoredKind.String when stored.Utf8LengthMax >= StoredText.LengthMin:
                run.ChargeBytes(160);
                return new JsValue(new JsString(new StoredText(run, stored)));
            case StoredKind.String:
                string text = stored.GetString();
                run.CheckStringLength(text.Length);
                return run.NewString(text);
            case StoredKind.Object:
                run.ChargeBytes(160);
                return new JsValue(new DocumentObject(run.Realm.ObjectPrototype, stored.AsObject()));
            case StoredKind.Array:
                run.ChargeBytes(160);
                return new JsValue(new DocumentArray(run.Realm.ArrayPrototype, stored.AsArray()));
            default:
                return JsValue.Null;
        }
    }

    /// <summary>A whole number of the database, whose digits are kept like those of a document.</summary>
    internal static JsValue ToValue(Run run, long number) => ExactNumber.Read(run, number);

    /// <summary>The nearest double; beyond the largest it is infinite, as in JSON.parse.</summary>
    internal static double ToDouble(BlittableValue stored)
    {
        if (stored.TryGetDouble(out double number))
        {
            return number;
        }

        return IsNegative(stored) ? double.NegativeInfinity : double.PositiveInfinity;
    }

    /// <summary>Whether a value of the script equals the stored one, so that nothing need be written.</summary>
    internal static bool Same(Run run, JsValue value, BlittableValue stored)
    {
        run.Step();
        switch (stored.Kind)
        {
            case StoredKind.True:
                return value.IsTrue;
            case StoredKind.False:
                return value.IsBoolean && !value.IsTrue;
            case StoredKind.Integer or StoredKind.Number:
                return ExactNumber.IsSame(value, stored);
            case StoredKind.String:
                return value.IsString && (value.String.Stored?.Value.IsSamePlace(stored) == true
                    || (value.String.Length <= stored.Utf8LengthMax && stored.GetString() == value.String.Flat));
            case StoredKind.Object:
                return value.AsObject is { } target && SameObject(run, target, stored.AsObject());
            case StoredKind.Array:
                return value.AsObject is { } list && SameArray(run, list, stored.AsArray());
            default:
                return value.IsNull;
        }
    }

    private static bool SameObject(Run run, JsObject target, BlittableObject stored)
    {
        if (target is DocumentObject document)
        {
            return document.Source.AsValue().IsSamePlace(stored.AsValue()) && !document.IsChanged(run);
        }

        run.CheckStack();
        if (target.GetType() != typeof(JsObject) || target.Class != ObjectClass.Object || target.Has(run, "toJSON"))
        {
            return false;
        }

        int[] order = new int[stored.Count];
        stored.GetOriginalOrder(order);
        int index = 0;
        foreach (string name in Objects.EnumerableNames(run, target))
        {
            BlittableProperty property = index < order.Length ? stored.GetProperty(order[index++]) : default;
            if (index > order.Length || property.GetName() != name
                || !target.TryGetOwn(run, name, out Property own) || own.Value.IsAccessor
                || !Same(run, own.Value, property.Value))
            {
                return false;
            }
        }

        return index == stored.Count;
    }

    private static bool SameArray(Run run, JsObject target, BlittableArray stored)
    {
        if (target is DocumentArray document)
        {
            return document.Source.AsValue().IsSamePlace(stored.AsValue()) && !document.IsChanged(run);
        }

        if (target is not JsArray array || array.Count != stored.Count)
        {
            return false;
        }

        run.CheckStack();
        for (int i = 0; i < array.Count; i++)
        {
            if (!Same(run, array.Items[i], stored[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsNegative(BlittableValue stored)
    {
        byte[] text = new byte[stored.Memory.Length];
        return stored.TryFormatNumber(text, out _) && text[0] == '-';
    }

    /// <summary>Whether JSON can represent the value.</summary>
    internal static bool HasText(JsValue value) => value.Kind switch
    {
        ValueKind.Undefined or ValueKind.Symbol or ValueKind.Empty => false,
        _ => value.AsFunction is null,
    };

    /// <summary>Whether the number that a script reads, written again, has the stored text.</summary>
    internal static bool RoundTrips(BlittableValue stored)
    {
        if (stored.TryGetInt64(out long whole) && Math.Abs(whole) <= 1L << 53)
        {
            return true;
        }

        Span<byte> text = stackalloc byte[64];
        return stored.TryFormatNumber(text, out int written) && stored.TryGetDouble(out double number)
            && NumberText.Format(number) == System.Text.Encoding.ASCII.GetString(text[..written]);
    }
}
