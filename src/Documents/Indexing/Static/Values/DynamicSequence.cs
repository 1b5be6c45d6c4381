using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>
/// Methods of sequences in maps. Null is an empty sequence, an object the sequence of its pairs, and any other value a
/// sequence of one item.
/// </summary>
public static class DynamicSequence
{
    private const int RangeMax = 1_000_000;
    private const int RecursionMax = 100_000;

    private static readonly string[] PairNames = ["Key", "Value"];

    /// <summary>The items, for foreach.</summary>
    public static DynamicItems Items(this DynamicValue source) => new(source);

    /// <summary>The items, for LINQ.</summary>
    public static IEnumerable<DynamicValue> AsValues(this DynamicValue source) => Of(source);

    /// <summary>The result of the function for each item.</summary>
    public static DynamicValue Select(this DynamicValue source, Func<DynamicValue, DynamicValue> select) =>
        DynamicValue.Of(Of(source).Select(select));

    /// <summary>The result of the function for each item and its index.</summary>
    public static DynamicValue Select(
        this DynamicValue source, Func<DynamicValue, DynamicValue, DynamicValue> select) =>
        DynamicValue.Of(Of(source).Select((item, index) => select(item, DynamicValue.Of((long)index))));

    /// <summary>The items of the sequences that the function returns for each item.</summary>
    public static DynamicValue SelectMany(this DynamicValue source, Func<DynamicValue, DynamicValue> select) =>
        DynamicValue.Of(Of(source).SelectMany(item => Of(select(item))));

    /// <summary>The results of the second function for each item and each of the items that the first one returns
    /// for it.</summary>
    public static DynamicValue SelectMany(
        this DynamicValue source, Func<DynamicValue, DynamicValue> select,
        Func<DynamicValue, DynamicValue, DynamicValue> result) =>
        DynamicValue.Of(Of(source).SelectMany(item => Of(select(item)), result));

    /// <summary>The items for which the condition holds.</summary>
    public static DynamicValue Where(this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        DynamicValue.Of(Of(source).Where(item => condition(item).IsTrue));

    /// <summary>Whether there is an item.</summary>
    public static DynamicValue Any(this DynamicValue source) => DynamicValue.Of(Of(source).Any());

    /// <summary>Whether there is an item for which the condition holds.</summary>
    public static DynamicValue Any(this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        DynamicValue.Of(Of(source).Any(item => condition(item).IsTrue));

    /// <summary>Whether the condition holds for all items.</summary>
    public static DynamicValue All(this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        DynamicValue.Of(Of(source).All(item => condition(item).IsTrue));

    /// <summary>How many items there are.</summary>
    public static DynamicValue Count(this DynamicValue source) => DynamicValue.Of((long)CountOf(source));

    /// <summary>For how many items the condition holds.</summary>
    public static DynamicValue Count(this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        DynamicValue.Of((long)Of(source).Count(item => condition(item).IsTrue));

    /// <summary>How many items there are.</summary>
    public static DynamicValue LongCount(this DynamicValue source) => Count(source);

    /// <summary>The sum of the items; null is skipped.</summary>
    public static DynamicValue Sum(this DynamicValue source)
    {
        DynamicValue sum = DynamicValue.Of(0L);
        foreach (DynamicValue item in source.Items())
        {
            sum = item.IsNull ? sum : DynamicNumbers.Add(sum, DynamicNumbers.Parse(item));
        }

        return sum;
    }

    /// <summary>The sum of the function's results for the items; null is skipped.</summary>
    public static DynamicValue Sum(this DynamicValue source, Func<DynamicValue, DynamicValue> select)
    {
        ArgumentNullException.ThrowIfNull(select);
        DynamicValue sum = DynamicValue.Of(0L);
        foreach (DynamicValue item in source.Items())
        {
            DynamicValue value = select(item);
            sum = value.IsNull ? sum : DynamicNumbers.Add(sum, DynamicNumbers.Parse(value));
        }

        return sum;
    }

    /// <summary>The mean of the items that are not null; null without any.</summary>
    public static DynamicValue Average(this DynamicValue source) => Average(source, item => item);

    /// <summary>The mean of the function's results for the items.</summary>
    public static DynamicValue Average(this DynamicValue source, Func<DynamicValue, DynamicValue> select)
    {
        DynamicValue[] values = [.. Of(source).Select(select).Where(value => !value.IsNull)];
        if (values.Length == 0)
        {
            return DynamicValue.Null;
        }

        DynamicValue sum = DynamicValue.List(values).Sum();
        return sum.Kind == DynamicKind.Decimal
            ? DynamicValue.Of(sum.Decimal / values.Length)
            : DynamicValue.Of(DynamicNumbers.ToReal(sum) / values.Length);
    }

    /// <summary>The least item that is not null; null without any.</summary>
    public static DynamicValue Min(this DynamicValue source) => Min(source, item => item);

    /// <summary>The least of the function's results for the items.</summary>
    public static DynamicValue Min(this DynamicValue source, Func<DynamicValue, DynamicValue> select) =>
        Extreme(source, select, -1);

    /// <summary>The greatest item; null without any.</summary>
    public static DynamicValue Max(this DynamicValue source) => Max(source, item => item);

    /// <summary>The greatest of the function's results for the items.</summary>
    public static DynamicValue Max(this DynamicValue source, Func<DynamicValue, DynamicValue> select) =>
        Extreme(source, select, 1);

    /// <summary>The first item; missing without any.</summary>
    public static DynamicValue FirstOrDefault(this DynamicValue source)
    {
        foreach (DynamicValue item in source.Items())
        {
            return item;
        }

        return default;
    }

    /// <summary>The first item for which the condition holds; missing without any.</summary>
    public static DynamicValue FirstOrDefault(
        this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        Where(source, condition).FirstOrDefault();

    /// <summary>The last item; missing without any.</summary>
    public static DynamicValue LastOrDefault(this DynamicValue source) => Of(source).LastOrDefault();

    /// <summary>The last item for which the condition holds; missing without any.</summary>
    public static DynamicValue LastOrDefault(
        this DynamicValue source, Func<DynamicValue, DynamicValue> condition) =>
        Where(source, condition).LastOrDefault();

    /// <summary>The item at an index; missing if there is none.</summary>
    public static DynamicValue ElementAtOrDefault(this DynamicValue source, DynamicValue index) => source.At(index);

    /// <summary>Whether an item is equal; for a text, whether it contains the other one.</summary>
    public static DynamicValue Contains(
        this DynamicValue source, DynamicValue item, DynamicValue comparison = default) =>
        DynamicValue.Of(source.IsText
            ? source.ToText()!.Contains(item.ToText() ?? string.Empty, DynamicText.ComparisonOf(comparison))
            : Of(source).Contains(item, DynamicEquality.Instance));

    /// <summary>The items in the order of a key; equal ones keep their order.</summary>
    public static DynamicValue OrderBy(this DynamicValue source, Func<DynamicValue, DynamicValue> key) =>
        DynamicValue.Of(Of(source).OrderBy(key, Comparer));

    /// <summary>The items in the order of a key, the greatest first.</summary>
    public static DynamicValue OrderByDescending(this DynamicValue source, Func<DynamicValue, DynamicValue> key) =>
        DynamicValue.Of(Of(source).OrderByDescending(key, Comparer));

    /// <summary>Orders items with equal keys by another key.</summary>
    public static DynamicValue ThenBy(this DynamicValue source, Func<DynamicValue, DynamicValue> key) =>
        source.Object is IOrderedEnumerable<DynamicValue> ordered
            ? DynamicValue.Of(ordered.ThenBy(key, Comparer))
            : OrderBy(source, key);

    /// <summary>Orders items with equal keys by another key, the greatest first.</summary>
    public static DynamicValue ThenByDescending(this DynamicValue source, Func<DynamicValue, DynamicValue> key) =>
        source.Object is IOrderedEnumerable<DynamicValue> ordered
            ? DynamicValue.Of(ordered.ThenByDescending(key, Comparer))
            : OrderByDescending(source, key);

    /// <summary>Each different item once.</summary>
    public static DynamicValue Distinct(this DynamicValue source) =>
        DynamicValue.Of(Of(source).Distinct(DynamicEquality.Instance));

    /// <summary>The items after the first ones.</summary>
    public static DynamicValue Skip(this DynamicValue source, DynamicValue count) =>
        DynamicValue.Of(Of(source).Skip(CountOfItems(count)));

    /// <summary>The first items.</summary>
    public static DynamicValue Take(this DynamicValue source, DynamicValue count) =>
        DynamicValue.Of(Of(source).Take(CountOfItems(count)));

    /// <summary>The items of both.</summary>
    public static DynamicValue Concat(this DynamicValue source, DynamicValue other) =>
        DynamicValue.Of(Of(source).Concat(Of(other)));

    /// <summary>Each different item of both once.</summary>
    public static DynamicValue Union(this DynamicValue source, DynamicValue other) =>
        DynamicValue.Of(Of(source).Union(Of(other), DynamicEquality.Instance));

    /// <summary>Each different item that both have.</summary>
    public static DynamicValue Intersect(this DynamicValue source, DynamicValue other) =>
        DynamicValue.Of(Of(source).Intersect(Of(other), DynamicEquality.Instance));

    /// <summary>Each different item that the other one does not have.</summary>
    public static DynamicValue Except(this DynamicValue source, DynamicValue other) =>
        DynamicValue.Of(Of(source).Except(Of(other), DynamicEquality.Instance));

    /// <summary>The items from the last to the first.</summary>
    public static DynamicValue Reverse(this DynamicValue source) => DynamicValue.Of(Of(source).Reverse());

    /// <summary>The items, computed once.</summary>
    public static DynamicValue ToList(this DynamicValue source) => DynamicValue.List([.. Of(source)]);

    /// <summary>The items, or one if there are none.</summary>
    public static DynamicValue DefaultIfEmpty(this DynamicValue source, DynamicValue otherwise = default) =>
        DynamicValue.Of(Of(source).DefaultIfEmpty(otherwise));

    /// <summary>The items in groups by a key.</summary>
    public static DynamicValue GroupBy(this DynamicValue source, Func<DynamicValue, DynamicValue> key) =>
        DynamicValue.Of(Of(source).GroupBy(key, DynamicEquality.Instance)
            .Select(group => DynamicValue.Of(new DynamicGroup(group.Key, group))));

    /// <summary>The result of the function for the result so far and each item.</summary>
    public static DynamicValue Aggregate(
        this DynamicValue source, DynamicValue seed, Func<DynamicValue, DynamicValue, DynamicValue> add) =>
        Of(source).Aggregate(seed, add);

    /// <summary>The results of the function for the items of both, pair by pair.</summary>
    public static DynamicValue Zip(
        this DynamicValue source, DynamicValue other, Func<DynamicValue, DynamicValue, DynamicValue> result) =>
        DynamicValue.Of(Of(source).Zip(Of(other), result));

    /// <summary>The items as an object, by a key.</summary>
    public static DynamicValue ToDictionary(
        this DynamicValue source, Func<DynamicValue, DynamicValue> key, Func<DynamicValue, DynamicValue>? value = null)
    {
        DynamicValue[] items = [.. Of(source)];
        return DynamicValue.Of(new DynamicRecord(
            [.. items.Select(item => key(item).ToText() ?? string.Empty)],
            value is null ? items : [.. items.Select(value)]));
    }

    /// <summary>Whether an object has a property.</summary>
    public static DynamicValue ContainsKey(this DynamicValue source, DynamicValue key) => DynamicValue.Of(
        Of(source).Any(pair => pair.Object is DynamicRecord record && DynamicLogic.IsEqual(record.Get("Key"), key)));

    /// <summary>The value, or another one if it is null.</summary>
    public static DynamicValue GetValueOrDefault(this DynamicValue value, DynamicValue otherwise = default) =>
        value.IsNull ? otherwise : value;

    /// <summary>A value, the function's result for it, that for the result, and so on; for a sequence, of
    /// each item.</summary>
    public static DynamicValue Recurse(DynamicValue source, Func<DynamicValue, DynamicValue> next) =>
        DynamicValue.Of(RecurseItems(source, next));

    /// <summary>Consecutive integers from a start on.</summary>
    public static DynamicValue Range(DynamicValue start, DynamicValue count) => DynamicValue.Of(
        Enumerable.Range(checked((int)DynamicNumbers.ToInteger(start)), Math.Min(CountOfItems(count), RangeMax))
            .Select(number => DynamicValue.Of((long)number)));

    internal static int CountOf(DynamicValue source) => source.Kind switch
    {
        DynamicKind.StoredArray => source.Stored.AsArray().Count,
        DynamicKind.StoredObject => source.Stored.AsObject().Count,
        _ => Of(source).Count(),
    };

    internal static IEnumerable<DynamicValue> Of(DynamicValue source) => source.Kind switch
    {
        DynamicKind.Missing or DynamicKind.Null => [],
        DynamicKind.Sequence => (IEnumerable<DynamicValue>)source.Object!,
        DynamicKind.StoredArray => OfArray(source.Stored.AsArray()),
        DynamicKind.StoredObject => OfObject(source.Stored.AsObject()),
        DynamicKind.Record => OfRecord((DynamicRecord)source.Object!),
        DynamicKind.Text or DynamicKind.StoredText =>
            source.ToText()!.Select(one => DynamicValue.Of(one.ToString())),
        _ => [source],
    };

    private static readonly Comparer<DynamicValue> Comparer = Comparer<DynamicValue>.Create(DynamicLogic.Order);

    private static IEnumerable<DynamicValue> OfArray(BlittableArray array)
    {
        for (int i = 0; i < array.Count; i++)
        {
            yield return DynamicValue.Of(array[i]);
        }
    }

    private static IEnumerable<DynamicValue> OfObject(BlittableObject source)
    {
        int[] order = new int[source.Count];
        source.GetOriginalOrder(order);
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            yield return Pair(property.GetName(), DynamicValue.Of(property.Value));
        }
    }

    private static IEnumerable<DynamicValue> OfRecord(DynamicRecord record)
    {
        for (int i = 0; i < record.Count; i++)
        {
            yield return Pair(record.Names[i], record.Values[i]);
        }
    }

    private static DynamicValue Pair(string name, DynamicValue value) =>
        DynamicValue.Of(new DynamicRecord(PairNames, DynamicValue.Of(name), value));

    private static IEnumerable<DynamicValue> RecurseItems(
        DynamicValue source, Func<DynamicValue, DynamicValue> next)
    {
        Stack<DynamicValue> open = new();
        open.Push(source);
        int count = 0;
        while (open.TryPop(out DynamicValue value))
        {
            if (value.IsNull)
            {
                continue;
            }

            if (value.IsSequence)
            {
                foreach (DynamicValue item in Of(value).Reverse())
                {
                    open.Push(item);
                }

                continue;
            }

            if (++count > RecursionMax)
            {
                throw new InvalidOperationException($"Recurse went through more than {RecursionMax} values.");
            }

            yield return value;
            open.Push(next(value));
        }
    }

    private static DynamicValue Extreme(
        DynamicValue source, Func<DynamicValue, DynamicValue> select, int sign)
    {
        DynamicValue best = DynamicValue.Null;
        foreach (DynamicValue item in source.Items())
        {
            DynamicValue value = select(item);
            if (!value.IsNull && (best.IsNull || Math.Sign(DynamicLogic.Order(value, best)) == sign))
            {
                best = value;
            }
        }

        return best;
    }

    private static int CountOfItems(DynamicValue count) =>
        (int)Math.Clamp(DynamicNumbers.ToInteger(count), 0, int.MaxValue);
}
