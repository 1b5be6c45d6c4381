using System.Numerics;
using Lucene.Net.Index;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Lucene.Engine.Searchers;

// A key is such that the smaller comes first. For values it is twice the ordinal, negative for a descending order, so
// that within a segment keys alone decide; between segments the terms do.

/// <summary>Gives the hits of a query their keys and compares them.</summary>
internal sealed class LuceneOrder
{
    private const long NullFirst = long.MinValue;
    private const long NullLast = long.MaxValue;

    private readonly OrderKey[] _orders;
    private readonly IndexField?[] _fields;
    private readonly List<OrderColumn?[]> _columns = [];
    private byte[] _left = new byte[TermCode.SizeBytesMax];
    private byte[] _right = new byte[TermCode.SizeBytesMax];
    private int _firstEntry;

    internal LuceneOrder(SearchRequest request, Func<string, IndexField?> fields)
    {
        if (request.Orders.Count > SearchRequest.OrdersMax)
        {
            throw new ArgumentException($"Results are ordered by at most {SearchRequest.OrdersMax} keys.");
        }

        _orders = [.. request.Orders];
        _fields = [.. _orders.Select(order => order.Field is { Length: > 0 } name ? fields(name) : null)];
        NeedsScores = request.WithScores || Array.Exists(_orders, order => order.Kind == OrderKind.Score);
    }

    internal int Count => _orders.Length;

    internal bool NeedsScores { get; }

    /// <summary>Whether the first keys of two hits say which comes first, unless they are the same.</summary>
    internal bool IsByFirstKey => _orders is [{ Kind: OrderKind.Score or OrderKind.Random or OrderKind.Distance }, ..];

    /// <summary>Begins the next segment.</summary>
    internal void BeginSegment(AtomicReaderContext segment)
    {
        _firstEntry = segment.DocBase;
        _columns.Add([.. _fields.Select(field => OrderColumn.Open(segment.AtomicReader, field))]);
    }

    /// <summary>One key of an entry of the segment that was begun.</summary>
    internal long KeyOf(int order, int entry, float score)
    {
        ref readonly OrderKey key = ref _orders[order];
        switch (key.Kind)
        {
            case OrderKind.Score:
                long bits = BitConverter.SingleToInt32Bits(score);
                return key.IsDescending ? -bits : bits;
            case OrderKind.Random:
                return Scramble((ulong)(uint)key.Seed << 32 | (uint)(_firstEntry + entry));
        }

        long nothing = key.NullsLast ? NullLast : NullFirst;
        if (_columns[^1][order] is not { } column)
        {
            return nothing;
        }

        ReadOnlySpan<int> ordinals = column.OrdinalsOf(entry);
        if (key.Kind == OrderKind.Distance)
        {
            double nearest = NearestOf(column, ordinals, key);
            nearest = key.DistanceStep > 0 ? Math.Round(nearest / key.DistanceStep) * key.DistanceStep : nearest;
            long distance = BitConverter.DoubleToInt64Bits(nearest);
            return double.IsNaN(nearest) ? nothing : key.IsDescending ? -distance : distance;
        }

        int ordinal = OrdinalOf(column, ordinals, key);
        return ordinal < 0 || (ordinal == 0 && column.HasNull)
            ? nothing
            : key.IsDescending ? -2L * ordinal : 2L * ordinal;
    }

    /// <summary>Compares two hits: negative if the left one comes first.</summary>
    internal int Compare(in Hit left, in Hit right)
    {
        for (int i = 0; i < Count; i++)
        {
            int order = IsDecidedByKeys(i, left.Keys[i], right.Keys[i], left.Segment == right.Segment)
                ? left.Keys[i].CompareTo(right.Keys[i])
                : CompareTerms(i, left, right);
            if (order != 0)
            {
                return order;
            }
        }

        return left.Segment != right.Segment
            ? left.Segment.CompareTo(right.Segment)
            : left.Entry.CompareTo(right.Entry);
    }

    /// <summary>The value that counts: the least, descending the greatest, which is a number if there is one.</summary>
    private static int OrdinalOf(OrderColumn column, ReadOnlySpan<int> ordinals, in OrderKey key)
    {
        bool isOfNumbers = key.Kind == OrderKind.Number;
        int found = -1;
        if (isOfNumbers || key is { Kind: OrderKind.Value, IsDescending: true })
        {
            foreach (int ordinal in ordinals)
            {
                bool isNumber = ordinal >= column.FirstNumber && ordinal < column.EndOfNumbers;
                found = isNumber && (key.IsDescending || found < 0) ? ordinal : found;
            }
        }

        return found >= 0 || isOfNumbers || ordinals.IsEmpty ? found : key.IsDescending ? ordinals[^1] : ordinals[0];
    }

    private bool IsDecidedByKeys(int order, long left, long right, bool isSameSegment)
    {
        OrderKind kind = _orders[order].Kind;
        bool hasOrderOfItsOwn = kind is OrderKind.AlphaNumeric or OrderKind.Text or OrderKind.Custom;
        return kind is OrderKind.Score or OrderKind.Random or OrderKind.Distance
            || left is NullFirst or NullLast || right is NullFirst or NullLast
            || (isSameSegment && (!hasOrderOfItsOwn || left == right));
    }

    private int CompareTerms(int order, in Hit left, in Hit right)
    {
        ReadOnlySpan<byte> first = TermCode.Copy(TermOf(order, left), ref _left);
        ReadOnlySpan<byte> second = TermCode.Copy(TermOf(order, right), ref _right);
        int result = _orders[order].Kind switch
        {
            OrderKind.Custom when _orders[order].Comparator is { } comparator =>
                comparator.Compare(new SortValue(first), new SortValue(second)),
            OrderKind.AlphaNumeric when first[0] == TermCode.Text && second[0] == TermCode.Text =>
                AlphaNumericOrder.Compare(first, second),
            OrderKind.Text => CompareAsTexts(first, second),
            _ => first.SequenceCompareTo(second),
        };
        return _orders[order].IsDescending ? -result : result;
    }

    private ReadOnlySpan<byte> TermOf(int order, in Hit hit) =>
        _columns[hit.Segment][order]!.TermAt((int)(Math.Abs(hit.Keys[order]) / 2));

    private static int CompareAsTexts(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        Span<byte> leftRoom = stackalloc byte[TermCode.NumberTextSizeMax];
        Span<byte> rightRoom = stackalloc byte[TermCode.NumberTextSizeMax];
        return TermCode.ReadText(left, leftRoom).SequenceCompareTo(TermCode.ReadText(right, rightRoom));
    }

    /// <summary>The distance of the nearest point, kilometers; not a number without one.</summary>
    private static double NearestOf(OrderColumn column, ReadOnlySpan<int> ordinals, in OrderKey key)
    {
        double nearest = double.NaN;
        foreach (int ordinal in ordinals)
        {
            ReadOnlySpan<byte> term = column.TermAt(ordinal);
            if (term[0] == TermCode.Point)
            {
                (double latitude, double longitude) = PointCode.Read(term);
                double distance = GeoDistance.Kilometers(key.Latitude, key.Longitude, latitude, longitude);
                nearest = distance >= nearest ? nearest : distance;
            }
        }

        return nearest;
    }

    /// <summary>A permutation of 64 bits (the finalizer of splitmix64), so that no two entries share a key.</summary>
    private static long Scramble(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return (long)(BitOperations.RotateLeft(value ^ (value >> 31), 1) >> 2);
    }
}
