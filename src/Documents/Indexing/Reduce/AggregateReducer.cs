using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Groups by fields and sums up others: the reduce of the automatic index of a query with <c>group by</c>.
/// </summary>
internal sealed class AggregateReducer : GroupReducer
{
    private readonly DynamicMember[] _keys;
    private readonly DynamicMember[] _sums;

    /// <summary>Makes a reducer.</summary>
    /// <param name="keys">The fields whose values make the key.</param>
    /// <param name="sums">The fields that are summed up; a count is one whose values are 1.</param>
    internal AggregateReducer(IEnumerable<string> keys, IEnumerable<string> sums)
    {
        _keys = [.. keys.Select(key => new DynamicMember(key))];
        _sums = [.. sums.Select(sum => new DynamicMember(sum))];
    }

    internal override DynamicValue KeyOf(BlittableObject item, OperationContext context)
    {
        DynamicValue value = DynamicValue.Of(item.AsValue());
        return _keys.Length == 1
            ? value.Get(_keys[0])
            : DynamicValue.List([.. _keys.Select(key => value.Get(key))]);
    }

    internal override void Reduce(IReadOnlyList<BlittableObject> items, ReduceSink results)
    {
        results.BeginEntry();
        DynamicValue first = DynamicValue.Of(items[0].AsValue());
        foreach (DynamicMember key in _keys)
        {
            DynamicValue value = first.Get(key);
            results.Add(results.Field(key.Name), value.IsNull ? DynamicValue.Null : value);
        }

        foreach (DynamicMember sum in _sums)
        {
            DynamicValue total = DynamicValue.Of(0L);
            for (int i = 0; i < items.Count; i++)
            {
                total = AddAll(total, DynamicValue.Of(items[i].AsValue()).Get(sum));
            }

            results.Add(results.Field(sum.Name), total);
        }

        results.EndEntry();
    }

    /// <summary>
    /// Adds a number to a sum, or all numbers of an array: a path through an array has several values in an entry.
    /// </summary>
    private static DynamicValue AddAll(DynamicValue total, DynamicValue value)
    {
        if (value.Kind is not DynamicKind.StoredArray)
        {
            return value.IsNumber ? DynamicNumbers.Add(total, value) : total;
        }

        foreach (DynamicValue item in value.Items())
        {
            total = AddAll(total, item);
        }

        return total;
    }
}
