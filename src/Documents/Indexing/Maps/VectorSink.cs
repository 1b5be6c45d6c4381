using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Search;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

/// <summary>Adds vectors to a batch of the search index. One thread at a time.</summary>
internal sealed class VectorSink(OperationContext context)
{
    private readonly VectorNumbers _numbers = new();

    /// <summary>Adds a vector, or several.</summary>
    /// <exception cref="FormatException">It is no vector.</exception>
    /// <exception cref="SearchIndexException">Vectors of the field have another number of dimensions.</exception>
    internal void Add(IndexBatch batch, IndexField field, VectorFieldOptions options, MapVector vector)
    {
        if (vector.Stored is { } stored)
        {
            Add(batch, field, options, stored);
            return;
        }

        _numbers.Begin(options.Source);
        if (vector.IsBase64)
        {
            _numbers.AddBase64(vector.Base64);
        }

        foreach (double one in vector.Numbers)
        {
            _numbers.Add(one);
        }

        End(batch, field);
    }

    /// <summary>Adds the vectors of a stored value; nothing for null or an empty list.</summary>
    private void Add(IndexBatch batch, IndexField field, VectorFieldOptions options, BlittableValue value)
    {
        switch (value.Kind)
        {
            case ValueKind.Null:
                return;
            case ValueKind.String:
                Add(batch, field, options, new MapVector(
                    value.TryGetUtf8(out ReadOnlySpan<byte> plain) ? plain : value.GetUtf8(context.Arena).Span));
                return;
            case ValueKind.Object when value.AsObject().TryGet("@vector"u8, out BlittableValue inner)
                && inner.Kind != ValueKind.Object:
                Add(batch, field, options, inner);
                return;
            case ValueKind.Array:
                AddList(batch, field, options, value.AsArray());
                return;
            default:
                throw new FormatException($"A vector is a list of numbers, or base64; {value.Kind} is neither.");
        }
    }

    private void AddList(IndexBatch batch, IndexField field, VectorFieldOptions options, BlittableArray items)
    {
        if (items.Count == 0)
        {
            return;
        }

        if (!IsNumber(items[0]))
        {
            for (int i = 0; i < items.Count; i++)
            {
                BlittableValue item = items[i];
                bool isList = item.Kind == ValueKind.Array && item.AsArray() is { Count: > 0 } inner
                    && !IsNumber(inner[0]);
                Add(batch, field, options, isList ? throw NoList() : item);
            }

            return;
        }

        _numbers.Begin(options.Source);
        for (int i = 0; i < items.Count; i++)
        {
            _numbers.Add(IsNumber(items[i]) && items[i].TryGetDouble(out double number)
                ? number
                : throw new FormatException($"A vector is a list of numbers; number {i + 1} of this one is none."));
        }

        End(batch, field);
    }

    private void End(IndexBatch batch, IndexField field)
    {
        _numbers.End();
        switch (_numbers.Source)
        {
            case VectorFormat.Int8:
                batch.AddVectorOfBytes(field, _numbers.SignedBytes);
                break;
            case VectorFormat.Binary:
                batch.AddVectorOfBits(field, _numbers.Bits);
                break;
            default:
                batch.AddVector(field, _numbers.Singles);
                break;
        }
    }

    private static bool IsNumber(BlittableValue value) => value.Kind is ValueKind.Integer or ValueKind.Number;

    private static FormatException NoList() =>
        new("Vectors are lists of numbers, and several of them a list of such lists; this is a deeper one.");
}
