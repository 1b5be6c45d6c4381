using System.Numerics;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Queries;

// A key is such that the smaller comes first. For values it is twice the ordinal, negative for a descending order, so
// that within a segment keys alone decide; between segments the terms do. Odd numbers are places between ordinals: the
// place of a term of a hit of another segment.

/// <summary>Gives hits their keys and compares them.</summary>
internal sealed class HitOrder
{
    private const long NullFirst = long.MinValue;
    private const long NullLast = long.MaxValue;

    private readonly FieldReader?[] _columns = new FieldReader?[SearchRequest.OrdersMax];
    private readonly int[] _nullOrdinals = new int[SearchRequest.OrdersMax];
    private readonly OrderKey[] _orders = new OrderKey[SearchRequest.OrdersMax];
    private readonly int[] _fields = new int[SearchRequest.OrdersMax];
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private SegmentsReader _reader = null!;
    private int _segment;

    internal int Count { get; private set; }

    internal bool NeedsScores { get; private set; }

    internal void Begin(SegmentsReader reader, SearchRequest request)
    {
        _reader = reader;
        TermCode.Trim(ref _term);
        Count = request.Orders.Count;
        if (Count > SearchRequest.OrdersMax)
        {
            throw new ArgumentException($"Results are ordered by at most {SearchRequest.OrdersMax} keys.");
        }

        NeedsScores = request.WithScores;
        for (int i = 0; i < Count; i++)
        {
            OrderKey order = request.Orders[i];
            _orders[i] = order;
            _fields[i] = order.Field is { Length: > 0 } name && reader.Catalog.Find(name) is { } field
                ? field.Number
                : -1;
            NeedsScores |= order.Kind == OrderKind.Score;
        }
    }

    internal void BeginSegment(int segment)
    {
        _segment = segment;
        for (int i = 0; i < Count; i++)
        {
            FieldReader? column = _fields[i] < 0 ? null : _reader.Segments[segment].TryGetField(_fields[i]);
            _columns[i] = column is { HasWords: false } ? column : null;
            _nullOrdinals[i] = column is { TermCount: > 0 } && column.TermAt(0)[0] == TermCode.Null ? 0 : -1;
        }
    }

    /// <summary>Whether the first key is the score, the best first.</summary>
    internal bool IsByScore => _orders[0] is { Kind: OrderKind.Score, IsDescending: true };

    /// <summary>The column of the first key, if the key needs only an entry's ordinal.</summary>
    internal FieldReader? PlainColumn => _columns[0] is { HasManyValues: false } column
        && (_orders[0].Kind == OrderKind.Value
            || (_orders[0].Kind == OrderKind.Number && column.NumberCount == column.TermCount))
        ? column
        : null;

    /// <summary>The first key of an ordinal of <see cref="PlainColumn"/>.</summary>
    internal long KeyOfOrdinal(int ordinal)
    {
        ref readonly OrderKey key = ref _orders[0];
        return ordinal < 0 || ordinal == _nullOrdinals[0]
            ? (key.NullsLast ? NullLast : NullFirst)
            : key.IsDescending ? -2L * ordinal : 2L * ordinal;
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
                return Scramble((ulong)(uint)key.Seed << 32 | (uint)(_reader.Segments[_segment].FirstEntry + entry));
        }

        FieldReader? column = _columns[order];
        if (key.Kind == OrderKind.Distance)
        {
            double nearest = column is null ? double.NaN : NearestOf(column, entry, key);
            nearest = key.DistanceStep > 0 ? Math.Round(nearest / key.DistanceStep) * key.DistanceStep : nearest;
            long distance = BitConverter.DoubleToInt64Bits(nearest);
            return double.IsNaN(nearest) ? (key.NullsLast ? NullLast : NullFirst)
                : key.IsDescending ? -distance : distance;
        }

        int ordinal = column is null ? -1 : key.IsDescending ? column.LastOrdinal(entry) : column.FirstOrdinal(entry);
        if (key.Kind == OrderKind.Number && ordinal >= 0)
        {
            ordinal = NumberOf(column!, entry, ordinal, key.IsDescending);
        }
        else if (key is { Kind: OrderKind.Value, IsDescending: true }
            && column is { HasManyValues: true, NumberCount: > 0 })
        {
            // A duration is a number and a text: its number is the least value in ascending order, and counts in
            // descending order too.
            int number = NumberOf(column, entry, ordinal, isGreatest: true);
            ordinal = number < 0 ? ordinal : number;
        }

        return ordinal < 0 || ordinal == _nullOrdinals[order]
            ? (key.NullsLast ? NullLast : NullFirst)
            : key.IsDescending ? -2L * ordinal : 2L * ordinal;
    }

    /// <summary>Compares two hits: negative if the left one comes first.</summary>
    internal int Compare(in Hit left, in Hit right)
    {
        for (int i = 0; i < Count; i++)
        {
            long leftKey = left.Keys[i];
            long rightKey = right.Keys[i];
            int order = IsDecidedByKeys(i, leftKey, rightKey, left.Segment == right.Segment)
                ? leftKey.CompareTo(rightKey)
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

    /// <summary>
    /// What the first key of an entry of the segment that was begun must not exceed to come before a hit;
    /// <see cref="long.MaxValue"/> if keys alone do not decide.
    /// </summary>
    internal long BoundOf(in Hit hit)
    {
        long key = hit.Keys[0];
        OrderKind kind = _orders[0].Kind;
        if (IsOfKeysAlone(kind) || key is NullFirst or NullLast)
        {
            return key;
        }

        if (HasOrderOfItsOwn(kind) || _columns[0] is not { } column)
        {
            return long.MaxValue;
        }

        if (hit.Segment == _segment)
        {
            return key;
        }

        int found = column.Find(TermOf(0, hit));
        long place = found >= 0 ? 2L * found : (2L * ~found) - 1;
        return _orders[0].IsDescending ? -place : place;
    }

    private bool IsDecidedByKeys(int order, long left, long right, bool isSameSegment)
    {
        OrderKind kind = _orders[order].Kind;
        return IsOfKeysAlone(kind)
            || left is NullFirst or NullLast || right is NullFirst or NullLast
            || (isSameSegment && (!HasOrderOfItsOwn(kind) || left == right));
    }

    private int CompareTerms(int order, in Hit left, in Hit right)
    {
        ReadOnlySpan<byte> first = TermCode.Copy(TermOf(order, left), ref _term);
        ReadOnlySpan<byte> second = TermOf(order, right);
        int result = _orders[order] is { Kind: OrderKind.Custom, Comparator: { } comparator }
            ? comparator.Compare(new SortValue(first), new SortValue(second))
            : _orders[order].Kind == OrderKind.AlphaNumeric && first[0] == TermCode.Text && second[0] == first[0]
            ? AlphaNumericOrder.Compare(first, second)
            : _orders[order].Kind == OrderKind.Text
            ? CompareAsTexts(first, second)
            : first.SequenceCompareTo(second);
        return _orders[order].IsDescending ? -result : result;
    }

    /// <summary>Whether the order of values differs from the order of terms in a dictionary.</summary>
    private static bool HasOrderOfItsOwn(OrderKind kind) =>
        kind is OrderKind.AlphaNumeric or OrderKind.Text or OrderKind.Custom;

    private static int CompareAsTexts(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        Span<byte> leftRoom = stackalloc byte[TermCode.NumberTextSizeMax];
        Span<byte> rightRoom = stackalloc byte[TermCode.NumberTextSizeMax];
        return TermCode.ReadText(left, leftRoom).SequenceCompareTo(TermCode.ReadText(right, rightRoom));
    }

    private static bool IsOfKeysAlone(OrderKind kind) =>
        kind is OrderKind.Score or OrderKind.Random or OrderKind.Distance;

    /// <summary>The distance of the entry's nearest point, kilometers; not a number without one.</summary>
    private static double NearestOf(FieldReader column, int entry, in OrderKey key)
    {
        if (!column.HasManyValues)
        {
            int ordinal = column.SingleOrdinal(entry);
            return ordinal < 0 ? double.NaN : DistanceOf(column, ordinal, key);
        }

        double nearest = double.NaN;
        foreach (int ordinal in column.OrdinalsOf(entry))
        {
            double distance = DistanceOf(column, ordinal, key);
            nearest = double.IsNaN(distance) || distance >= nearest ? nearest : distance;
        }

        return nearest;
    }

    private static double DistanceOf(FieldReader column, int ordinal, in OrderKey key)
    {
        ReadOnlySpan<byte> term = column.TermAt(ordinal);
        if (term[0] != TermCode.Point)
        {
            return double.NaN;
        }

        (double latitude, double longitude) = PointCode.Read(term);
        return GeoDistance.Kilometers(key.Latitude, key.Longitude, latitude, longitude);
    }

    private ReadOnlySpan<byte> TermOf(int order, in Hit hit) =>
        _reader.Segments[hit.Segment].TryGetField(_fields[order])!.TermAt((int)(Math.Abs(hit.Keys[order]) / 2));

    /// <summary>The ordinal of the entry's least or greatest number, or -1.</summary>
    private static int NumberOf(FieldReader column, int entry, int ordinal, bool isGreatest)
    {
        uint numbers = (uint)column.NumberCount;
        if (!column.HasManyValues)
        {
            return (uint)(ordinal - column.FirstNumber) < numbers ? ordinal : -1;
        }

        int found = -1;
        foreach (int one in column.OrdinalsOf(entry))
        {
            if ((uint)(one - column.FirstNumber) < numbers && (isGreatest || found < 0))
            {
                found = one;
            }
        }

        return found;
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
