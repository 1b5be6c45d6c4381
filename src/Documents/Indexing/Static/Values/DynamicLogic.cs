namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Comparisons of maps. Null equals null, and is neither less nor greater than anything.</summary>
public static class DynamicLogic
{
    /// <summary>Whether both are the same value; a text and a date are compared as dates.</summary>
    public static bool IsEqual(DynamicValue left, DynamicValue right)
    {
        if (left.IsNull || right.IsNull)
        {
            return left.IsNull && right.IsNull;
        }

        if (left.Kind == DynamicKind.StoredText && right.Kind == DynamicKind.Text)
        {
            return TextEquals(left, (string)right.Object!);
        }

        if (left.Kind == DynamicKind.Text && right.Kind == DynamicKind.StoredText)
        {
            return TextEquals(right, (string)left.Object!);
        }

        return TryCompare(left, right, out int order) ? order == 0 : IsSame(left, right);
    }

    /// <summary>Whether the left one is less.</summary>
    public static bool IsLess(DynamicValue left, DynamicValue right) =>
        TryCompare(left, right, out int order) && order < 0;

    /// <summary>Whether the left one is less or equal.</summary>
    public static bool IsLessOrEqual(DynamicValue left, DynamicValue right) =>
        TryCompare(left, right, out int order) && order <= 0;

    /// <summary>The left value, or the right one if the left one is null.</summary>
    public static DynamicValue Coalesce(DynamicValue left, Func<DynamicValue> right)
    {
        ArgumentNullException.ThrowIfNull(right);
        return left.IsNull ? right() : left;
    }

    /// <summary>Whether the value is of a type: <c>x is string</c>.</summary>
    /// <param name="value">The value.</param>
    /// <param name="type">A C# keyword, or the name of a date type.</param>
    public static bool IsOfType(DynamicValue value, string type) => type switch
    {
        "string" or "String" => value.IsText,
        "bool" or "Boolean" => value.Kind == DynamicKind.Boolean,
        "int" or "long" or "short" or "byte" or "Int32" or "Int64" => value.Kind == DynamicKind.Integer,
        "double" or "float" or "Double" => value.Kind == DynamicKind.Real,
        "decimal" or "Decimal" => value.Kind == DynamicKind.Decimal,
        "DateTime" or "DateTimeOffset" => value.Kind is DynamicKind.Date or DynamicKind.DateOffset
            || DynamicDates.TryRead(value, out _),
        _ => !value.IsNull,
    };

    /// <summary>An order of all values: null, booleans, numbers, times, texts, the rest.</summary>
    internal static int Order(DynamicValue left, DynamicValue right)
    {
        if (TryCompare(left, right, out int order))
        {
            return order;
        }

        return RankOf(left).CompareTo(RankOf(right));
    }

    internal static bool TryCompare(DynamicValue left, DynamicValue right, out int order)
    {
        order = 0;
        if (left.IsNull || right.IsNull)
        {
            return false;
        }

        if (left.IsNumber && right.IsNumber)
        {
            order = DynamicNumbers.Compare(left, right);
            return true;
        }

        if (left.IsText && right.IsText)
        {
            order = string.CompareOrdinal(left.ToText(), right.ToText());
            return true;
        }

        if (left.Kind == DynamicKind.Boolean && right.Kind == DynamicKind.Boolean)
        {
            order = left.Boolean.CompareTo(right.Boolean);
            return true;
        }

        return DynamicDates.TryCompare(left, right, out order);
    }

    internal static int HashOf(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Missing or DynamicKind.Null => 0,
        DynamicKind.Integer or DynamicKind.Real or DynamicKind.Decimal => DynamicNumbers.ToReal(value).GetHashCode(),
        DynamicKind.Text or DynamicKind.StoredText => string.GetHashCode(value.ToText(), StringComparison.Ordinal),
        DynamicKind.Boolean => value.Boolean ? 1 : 2,
        DynamicKind.Record => HashOf((DynamicRecord)value.Object!),
        _ => (int)value.Kind,
    };

    private static int HashOf(DynamicRecord record)
    {
        HashCode hash = default;
        foreach (DynamicValue value in record.Values)
        {
            hash.Add(HashOf(value));
        }

        return hash.ToHashCode();
    }

    private static bool TextEquals(DynamicValue stored, string text)
    {
        Span<byte> utf8 = text.Length <= 128 ? stackalloc byte[384] : new byte[text.Length * 3];
        return stored.Stored.StringEquals(utf8[..System.Text.Encoding.UTF8.GetBytes(text, utf8)]);
    }

    private static bool IsSame(DynamicValue left, DynamicValue right)
    {
        if (left.Kind == DynamicKind.Record && right.Kind == DynamicKind.Record)
        {
            DynamicRecord one = (DynamicRecord)left.Object!;
            DynamicRecord other = (DynamicRecord)right.Object!;
            if (!one.Names.SequenceEqual(other.Names))
            {
                return false;
            }

            for (int i = 0; i < one.Count; i++)
            {
                if (!IsEqual(one.Values[i], other.Values[i]))
                {
                    return false;
                }
            }

            return true;
        }

        bool isStored = left.Kind is DynamicKind.StoredObject or DynamicKind.StoredArray && left.Kind == right.Kind;
        return isStored
            ? left.Stored.IsSamePlace(right.Stored)
            : left.Kind == right.Kind && left.Kind >= DynamicKind.Sequence && Equals(left.Object, right.Object);
    }

    private static int RankOf(DynamicValue value) => value.Kind switch
    {
        DynamicKind.Missing or DynamicKind.Null => 0,
        DynamicKind.Boolean => 1,
        DynamicKind.Integer or DynamicKind.Real or DynamicKind.Decimal => 2,
        DynamicKind.Date or DynamicKind.DateOffset => 3,
        DynamicKind.Duration => 4,
        DynamicKind.Text or DynamicKind.StoredText => 5,
        _ => 6,
    };
}
