using System.Reflection;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// Members that are no properties of stored objects: those of values that maps have made, and those that every value of
/// a kind has.
/// </summary>
internal static class DynamicMembers
{
    internal static DynamicValue Get(DynamicValue value, string name)
    {
        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                return name == "HasValue" ? DynamicValue.Of(false) : default;
            case DynamicKind.StoredObject:
                return OfObject(value, name);
            case DynamicKind.Record:
                return OfRecord((DynamicRecord)value.Object!, name);
            case DynamicKind.StoredArray or DynamicKind.Sequence:
                return name is "Length" or "Count" ? DynamicValue.Of((long)DynamicSequence.CountOf(value))
                    : name == "Key" && value.Object is DynamicGroup group ? group.Key
                    : Common(value, name);
            case DynamicKind.Foreign:
                return OfForeign(value.Object!, name);
            case DynamicKind.Text or DynamicKind.StoredText when name == "Length":
                return DynamicValue.Of((long)value.ToText()!.Length);
            default:
                return DynamicDates.TryGetPart(value, name, out DynamicValue part) ? part : Common(value, name);
        }
    }

    internal static DynamicValue ElementAt(DynamicValue value, long index)
    {
        if (value.Kind == DynamicKind.StoredArray)
        {
            BlittableArray array = value.Stored.AsArray();
            return (ulong)index < (ulong)array.Count ? DynamicValue.Of(array[(int)index]) : default;
        }

        if (value.IsText)
        {
            string text = value.ToText()!;
            return (ulong)index < (ulong)text.Length ? DynamicValue.Of(text[(int)index].ToString()) : default;
        }

        return index is >= 0 and <= int.MaxValue && value.Object is IEnumerable<DynamicValue> values
            ? values.ElementAtOrDefault((int)index)
            : default;
    }

    private static DynamicValue OfObject(DynamicValue value, string name)
    {
        if (value.Document is { } document && name is "Id" or "@id" or "__document_id")
        {
            return value.Document is null ? default : DynamicValue.Of(value.Document.Id);
        }

        return name switch
        {
            "Keys" => DynamicValue.Of(DynamicSequence.Of(value).Select(pair => pair.Get(KeyMember))),
            "Values" => DynamicValue.Of(DynamicSequence.Of(value).Select(pair => pair.Get(ValueMember))),
            "Count" => DynamicValue.Of((long)value.Stored.AsObject().Count),
            _ => Common(value, name),
        };
    }

    private static readonly DynamicMember KeyMember = new("Key");
    private static readonly DynamicMember ValueMember = new("Value");

    private static DynamicValue OfRecord(DynamicRecord record, string name)
    {
        DynamicValue found = record.Get(name);
        return found.Kind == DynamicKind.Missing && !record.Names.Contains(name)
            ? Common(DynamicValue.Of(record), name)
            : found;
    }

    private static DynamicValue OfForeign(object value, string name)
    {
        PropertyInfo? property = value.GetType().GetProperty(name);
        if (property is not null)
        {
            return DynamicConvert.FromObject(property.GetValue(value));
        }

        FieldInfo? field = value.GetType().GetField(name);
        return field is null ? default : DynamicConvert.FromObject(field.GetValue(value));
    }

    /// <summary>The members of nullable types, so that maps written for them work.</summary>
    private static DynamicValue Common(DynamicValue value, string name) => name switch
    {
        "Value" => value,
        "HasValue" => DynamicValue.Of(true),
        _ => default,
    };
}
