using System.Globalization;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Auto;

/// <summary>
/// A path of a query into documents: names with dots. If a document has an array on the way, the path continues in each
/// of its items, whether it is written with <c>[]</c> or not. One thread at a time.
/// </summary>
internal sealed class FieldPath
{
    private const int DepthMax = 64;
    private const string MetadataPrefix = "@metadata.";

    private readonly PropertyHint[] _names;
    private readonly string? _known;

    /// <summary>Parses a path.</summary>
    internal FieldPath(string path)
    {
        string[] names = path.Length == 0 ? [] : path.Replace("[]", "", StringComparison.Ordinal).Split('.');
        _names = [.. names.Select(name => new PropertyHint(name))];
        bool isMetadata = path.StartsWith(MetadataPrefix, StringComparison.Ordinal);
        _known = !isMetadata ? null : path[MetadataPrefix.Length..] switch
        {
            "@id" or "@collection" or "@last-modified" or "@change-vector" => path[MetadataPrefix.Length..],
            _ => null,
        };
    }

    /// <summary>Adds all values at the path to some fields.</summary>
    internal void AddTo(in StoredDocument document, MapSink sink, ReadOnlySpan<MapField> fields)
    {
        if (_known is not null)
        {
            AddKnown(in document, sink, fields);
            return;
        }

        Walk(document.Data.AsValue(), 0, sink, fields, 0);
    }

    /// <summary>Collects all values at the path.</summary>
    /// <returns>True if there may be several, because the path has an array.</returns>
    internal bool Collect(BlittableValue value, List<BlittableValue> values) => Collect(value, 0, values, 0);

    private void Walk(BlittableValue value, int at, MapSink sink, ReadOnlySpan<MapField> fields, int depth)
    {
        if (at == _names.Length)
        {
            foreach (MapField field in fields)
            {
                sink.Add(field, value);
            }
        }
        else if (value.TryGetObject(out BlittableObject parent))
        {
            if (parent.TryGet(_names[at], out BlittableValue child))
            {
                Walk(child, at + 1, sink, fields, depth + 1);
            }
        }
        else if (depth < DepthMax && value.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                Walk(items[i], at, sink, fields, depth + 1);
            }
        }
    }

    private bool Collect(BlittableValue value, int at, List<BlittableValue> values, int depth)
    {
        if (at == _names.Length)
        {
            values.Add(value);
            return false;
        }

        if (value.TryGetObject(out BlittableObject parent))
        {
            return parent.TryGet(_names[at], out BlittableValue child) && Collect(child, at + 1, values, depth + 1);
        }

        if (depth < DepthMax && value.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                Collect(items[i], at, values, depth + 1);
            }

            return true;
        }

        return false;
    }

    private void AddKnown(in StoredDocument document, MapSink sink, ReadOnlySpan<MapField> fields)
    {
        Span<byte> date = stackalloc byte[32];
        scoped ReadOnlySpan<byte> text;
        switch (_known)
        {
            case "@id":
                text = document.Id.Span;
                break;
            case "@collection":
                text = document.Collection;
                break;
            case "@change-vector":
                text = document.ChangeVector.Span;
                break;
            default:
                new DateTime(document.LastModifiedTicks, DateTimeKind.Utc).TryFormat(
                    date, out int length, "O", CultureInfo.InvariantCulture);
                text = date[..length];
                break;
        }

        foreach (MapField field in fields)
        {
            sink.Add(field, text);
        }
    }
}
