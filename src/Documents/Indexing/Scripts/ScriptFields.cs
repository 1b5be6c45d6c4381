using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Scripts;

/// <summary>Recognizes the results of createField, createSpatialField and createVector in a script.</summary>
internal static class ScriptFields
{
    /// <summary>A value of a script's entry, with created fields in place of the objects that stand for them.</summary>
    internal static DynamicValue Read(BlittableValue value)
    {
        if (value.TryGetArray(out BlittableArray items) && HasCreated(items))
        {
            DynamicValue[] created = new DynamicValue[items.Count];
            for (int i = 0; i < created.Length; i++)
            {
                created[i] = Read(items[i]);
            }

            return DynamicValue.List(created);
        }

        return value.TryGetObject(out BlittableObject source) && IsCreated(value)
            ? Created(source)
            : DynamicValue.Of(value);
    }

    /// <summary>
    /// Whether a list has a created field, at any index: values before it may be others, depending on conditions
    /// of the script.
    /// </summary>
    private static bool HasCreated(BlittableArray items)
    {
        for (int i = 0; i < items.Count; i++)
        {
            if (IsCreated(items[i]) || (items[i].TryGetArray(out BlittableArray inner) && HasCreated(inner)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsCreated(BlittableValue value) => value.TryGetObject(out BlittableObject source)
        && source.Count > 0 && source.GetProperty(0).Name is [(byte)'$', ..];

    private static DynamicValue Created(BlittableObject source)
    {
        // A script that makes the object itself names it $name.
        if ((source.TryGet("$field"u8, out BlittableValue name) || source.TryGet("$name"u8, out name))
            && name.TryGetString(out string text))
        {
            bool hasOptions = source.TryGet("$options"u8, out BlittableValue options)
                & options.TryGetObject(out BlittableObject said);
            return DynamicValue.Of(new DynamicField(
                text, Read(source["$value"u8]),
                hasOptions ? IsStored(said) : null,
                hasOptions ? IndexingOf(said) : null));
        }

        if (source.TryGet("$vector"u8, out BlittableValue vectors))
        {
            return vectors.IsNull ? DynamicValue.Missing
                : DynamicValue.Of(new DynamicVector(DynamicValue.Of(vectors)));
        }

        if (source.TryGet("$wkt"u8, out BlittableValue shape))
        {
            return shape.TryGetString(out string wellKnown)
                ? DynamicValue.Of(new DynamicShape(0, 0, wellKnown))
                : DynamicValue.Missing;
        }

        return source.TryGet("$lat"u8, out BlittableValue latitude) && latitude.TryGetDouble(out double north)
            && source.TryGet("$lng"u8, out BlittableValue longitude) && longitude.TryGetDouble(out double east)
            ? DynamicValue.Of(new DynamicShape(north, east, null))
            : DynamicValue.Missing;
    }

    /// <summary>Whether a created field is stored. Options may be booleans, or the names that clients use.</summary>
    private static bool? IsStored(BlittableObject options) =>
        !options.TryGet("storage"u8, out BlittableValue value) ? null
        : value.TryGetBoolean(out bool flag) ? flag
        : value.TryGetString(out string text) ? text.Equals("Yes", StringComparison.OrdinalIgnoreCase)
        : null;

    private static string? IndexingOf(BlittableObject options) =>
        !options.TryGet("indexing"u8, out BlittableValue value) ? null
        : value.TryGetBoolean(out bool flag) ? DynamicField.IndexingOf(flag)
        : value.TryGetString(out string text) ? text
        : null;
}
