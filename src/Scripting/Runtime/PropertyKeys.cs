using System.Globalization;

namespace Raven.Scripting.Runtime;

/// <summary>Property keys are strings or symbols; array indexes have a fast path.</summary>
internal static class PropertyKeys
{
    private static readonly string[] Small = [.. Enumerable.Range(0, 1024)
        .Select(i => string.Intern(i.ToString(CultureInfo.InvariantCulture)))];

    /// <summary>Whether the text is an array index in its printed form: 0 to 2^32 - 2.</summary>
    internal static bool TryIndex(string key, out uint index)
    {
        index = 0;
        if (key.Length is 0 or > 10 || !char.IsAsciiDigit(key[0]) || (key[0] == '0' && key.Length > 1))
        {
            return false;
        }

        ulong value = 0;
        foreach (char c in key)
        {
            if (!char.IsAsciiDigit(c))
            {
                return false;
            }

            value = (value * 10) + c - '0';
        }

        index = (uint)value;
        return value < uint.MaxValue;
    }

    internal static string OfIndex(uint index) =>
        index < Small.Length ? Small[index] : index.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether a number is an array index.</summary>
    internal static bool TryIndex(double number, out uint index)
    {
        index = (uint)number;
        return index == number && index != uint.MaxValue;
    }

    /// <summary>The key of a value in brackets.</summary>
    internal static object Of(Run run, JsValue value)
    {
        JsValue key = value.IsObject ? Operations.ToPrimitive(run, value, PrimitiveHint.String) : value;
        return key.Kind switch
        {
            ValueKind.String => OfText(run, key.String),
            ValueKind.Symbol => key.Cell!,
            ValueKind.Number when TryIndex(key.Number, out uint index) => OfIndex(index),
            _ => Operations.ToText(run, key),
        };
    }

    private static string OfText(Run run, JsString text)
    {
        run.ChargeText(text.Length);
        return text.Flat;
    }

    internal static JsValue ToValue(object key) => key is string text ? JsValue.Of(text) : new JsValue((JsSymbol)key);

    /// <summary>Puts keys that are array indexes first, ascending, from a position on.</summary>
    internal static void SortIndexesFirst(List<object> keys, int start)
    {
        List<(uint Index, object Key)> indexes = [];
        List<object> names = [];
        for (int i = start; i < keys.Count; i++)
        {
            if (keys[i] is string name && TryIndex(name, out uint index))
            {
                indexes.Add((index, name));
            }
            else
            {
                names.Add(keys[i]);
            }
        }

        indexes.Sort((left, right) => left.Index.CompareTo(right.Index));
        keys.RemoveRange(start, keys.Count - start);
        keys.AddRange(indexes.Select(one => one.Key));
        keys.AddRange(names);
    }
}
