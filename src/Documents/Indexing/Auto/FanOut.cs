using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Auto;

/// <summary>
/// The items of an array that a query groups by (<c>group by Lines[].Product</c>): each is an entry of its own, whose
/// fields below the array are those of the item, and whose other fields are those of the document.
/// </summary>
internal sealed class FanOut
{
    private readonly FieldPath _array;
    private readonly FieldPath?[] _ofItem;
    private readonly AutoField[] _definition;
    private readonly List<BlittableValue> _found = [];
    private readonly List<BlittableValue> _values = [];

    private FanOut(string prefix, AutoField[] fields)
    {
        _array = new FieldPath(prefix);
        _definition = fields;
        _ofItem = [.. fields.Select(field => PathInItem(field, prefix))];
    }

    /// <summary>The fan-out of some fields; null if no key is in an array.</summary>
    internal static FanOut? Of(AutoField[] fields)
    {
        AutoField? key = Array.Find(fields, field => field is { Aggregate: AggregateKind.Key, IsWhole: false }
            && field.Path.Contains("[]", StringComparison.Ordinal));
        return key is null ? null : new FanOut(
            key.Path[..key.Path.LastIndexOf("[]", StringComparison.Ordinal)], fields);
    }

    /// <summary>Emits an entry for each item of the array.</summary>
    /// <param name="document">The document.</param>
    /// <param name="sink">Takes the entries.</param>
    /// <param name="paths">The paths of the fields in the document.</param>
    /// <param name="fields">The fields.</param>
    internal void Run(in StoredDocument document, MapSink sink, FieldPath[] paths, MapField[][] fields)
    {
        _found.Clear();
        _array.Collect(document.Data.AsValue(), _found);
        foreach (BlittableValue found in _found)
        {
            if (!found.TryGetArray(out BlittableArray items))
            {
                Emit(in document, found, sink, paths, fields);
                continue;
            }

            for (int i = 0; i < items.Count; i++)
            {
                Emit(in document, items[i], sink, paths, fields);
            }
        }
    }

    private void Emit(
        in StoredDocument document, BlittableValue item, MapSink sink, FieldPath[] paths, MapField[][] fields)
    {
        sink.BeginEntry();
        for (int i = 0; i < paths.Length; i++)
        {
            if (_ofItem[i] is not { } path)
            {
                AutoMap.AddTo(in document, sink, _definition[i], paths[i], fields[i]);
                continue;
            }

            _values.Clear();
            path.Collect(item, _values);
            foreach (BlittableValue value in _values)
            {
                sink.Add(fields[i][0], value);
            }
        }

        sink.EndEntry();
    }

    /// <summary>The path of a field from an item on; null if it is a field of the document.</summary>
    private static FieldPath? PathInItem(AutoField field, string prefix)
    {
        string below = prefix + "[]";
        return field.IsWhole || !field.Path.StartsWith(below, StringComparison.Ordinal)
            ? null
            : new FieldPath(field.Path[below.Length..].TrimStart('.'));
    }
}
