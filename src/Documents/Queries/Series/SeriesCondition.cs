using System.Globalization;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows.Series;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Queries.Series;

//   SCON-1  A condition on entries means what one on documents means: texts are equal in any case, values of different
//           kinds are neither less nor greater, and what an entry does not have equals only null.

/// <summary>Whether entries of a time series meet the condition behind <c>where</c>. One row.</summary>
internal sealed class SeriesCondition
{
    private const string Known = "expected Value, Values[i], Tag, Timestamp, a name of a value, or a field of what "
        + "'load tag as' loads";

    private readonly SeriesScope _scope;
    private readonly SeriesTags _tags;
    private readonly string? _tagAlias;
    private readonly IReadOnlyList<string> _names;
    private readonly Test _test;

    internal SeriesCondition(RqlTimeSeries query, SeriesScope scope, SeriesTags tags, IReadOnlyList<string> names)
    {
        _scope = scope;
        _tags = tags;
        _tagAlias = query.TagAlias;
        _names = names;
        _test = Compile(query.Where!);
    }

    private delegate bool Test(in SeriesPoint point);

    private delegate object? Operand(in SeriesPoint point);

    internal bool IsMet(in SeriesPoint point) => _test(in point);

    private Test Compile(RqlExpression expression)
    {
        switch (expression)
        {
            case RqlLogical logical:
                Test left = Compile(logical.Left);
                Test right = Compile(logical.Right);
                return logical.IsAnd
                    ? (in SeriesPoint point) => left(in point) && right(in point)
                    : (in SeriesPoint point) => left(in point) || right(in point);
            case RqlNot not:
                Test inner = Compile(not.Inner);
                return (in SeriesPoint point) => !inner(in point);
            case RqlComparison comparison:
                return Comparison(comparison);
            case RqlBetween between:
                Operand value = Find(between.Field);
                bool isTime = IsTime(between.Field);
                Operand lower = Find(between.Lower, isTime);
                Operand upper = Find(between.Upper, isTime);
                return (in SeriesPoint point) =>
                    TryCompare(value(in point), lower(in point), out int low) && low >= 0
                    && TryCompare(value(in point), upper(in point), out int high) && high <= 0;
            case RqlIn { IsAll: false } list:
                return In(list);
            case RqlLiteral { Value: bool isTrue }:
                return (in SeriesPoint _) => isTrue;
            default:
                throw _scope.Error(expression, "expected a comparison, 'between' or 'in' on an entry");
        }
    }

    private Test Comparison(RqlComparison comparison)
    {
        Operand left = Find(comparison.Left, IsTime(comparison.Right));
        Operand right = Find(comparison.Right, IsTime(comparison.Left));
        return comparison.Sign switch
        {
            "=" => (in SeriesPoint point) => AreEqual(left(in point), right(in point)),
            "!=" => (in SeriesPoint point) => !AreEqual(left(in point), right(in point)),
            "<" => (in SeriesPoint point) => TryCompare(left(in point), right(in point), out int order) && order < 0,
            "<=" => (in SeriesPoint point) => TryCompare(left(in point), right(in point), out int order) && order <= 0,
            ">" => (in SeriesPoint point) => TryCompare(left(in point), right(in point), out int order) && order > 0,
            _ => (in SeriesPoint point) => TryCompare(left(in point), right(in point), out int order) && order >= 0,
        };
    }

    private Test In(RqlIn list)
    {
        Operand field = Find(list.Field);
        bool isTime = IsTime(list.Field);
        List<object?> wanted = [];
        foreach (RqlExpression item in list.Values)
        {
            object? value = _scope.ValueOf(item);
            wanted.AddRange(value is List<object?> many ? many : [value]);
        }

        for (int i = 0; isTime && i < wanted.Count; i++)
        {
            wanted[i] = TimeOf(wanted[i], list);
        }

        return (in SeriesPoint point) =>
        {
            object? value = field(in point);
            foreach (object? one in wanted)
            {
                if (AreEqual(value, one))
                {
                    return true;
                }
            }

            return false;
        };
    }

    private static bool IsTime(RqlExpression expression) =>
        expression is RqlField field && field.Path.Equals("Timestamp", StringComparison.OrdinalIgnoreCase);

    /// <summary>What stands on one side of a comparison.</summary>
    /// <param name="expression">It.</param>
    /// <param name="isTime">Whether it is compared with the time of an entry.</param>
    private Operand Find(RqlExpression expression, bool isTime = false)
    {
        if (expression is RqlField field && TryFindField(field, out Operand? found))
        {
            return found!;
        }

        object? constant;
        try
        {
            constant = _scope.ValueOf(expression);
        }
        catch (RqlException) when (expression is RqlField)
        {
            throw _scope.Error(expression, Known);
        }

        constant = isTime ? TimeOf(constant, expression) : Number(constant);
        return (in SeriesPoint _) => constant;
    }

    private bool TryFindField(RqlField field, out Operand? found)
    {
        string path = field.Path;
        int index = IndexOf(path);
        found = path.ToLowerInvariant() switch
        {
            "value" => (in SeriesPoint point) => point.Values[0],
            "tag" => (in SeriesPoint point) => point.Tag,
            "timestamp" => (in SeriesPoint point) => (double)point.Time,
            _ when index >= 0 => (in SeriesPoint point) =>
                index < point.Values.Length ? point.Values[index] : null,
            _ => null,
        };
        if (found is null && _tagAlias is { } alias && path.StartsWith(alias + ".", StringComparison.Ordinal))
        {
            string inner = path[(alias.Length + 1)..];
            found = (in SeriesPoint point) =>
                Number(_tags.FieldOf(point.Tag, inner));
        }

        return found is not null;
    }

    private int IndexOf(string path)
    {
        const string Prefix = "Values[";
        if (path.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase) && path.EndsWith(']')
            && int.TryParse(
                path.AsSpan(Prefix.Length, path.Length - Prefix.Length - 1), NumberStyles.None,
                CultureInfo.InvariantCulture, out int index))
        {
            return index;
        }

        for (int i = 0; i < _names.Count; i++)
        {
            if (_names[i].Equals(path, StringComparison.OrdinalIgnoreCase))
            {
                return i;
            }
        }

        return -1;
    }

    private object? TimeOf(object? value, RqlExpression place) => value switch
    {
        null => null,
        string text when DocumentTime.TryRead(text, out long ticks) => (double)SeriesTime.OfTicks(ticks),
        _ => throw _scope.Error(place, "expected a time beside Timestamp"),
    };

    /// <summary>Whole numbers are compared as doubles, which all values of entries are.</summary>
    private static object? Number(object? value) => value is long whole ? (double)whole : value;

    private static bool AreEqual(object? left, object? right) =>
        (left is null && right is null) || (TryCompare(left, right, out int order) && order == 0);

    /// <summary>Compares two values of one kind; false if they are not.</summary>
    private static bool TryCompare(object? left, object? right, out int order)
    {
        order = 0;
        switch (left, right)
        {
            case (double number, double other):
                order = number.CompareTo(other);
                return true;
            case (double number, long other):
                order = number.CompareTo(other);
                return true;
            case (string text, string other):
                order = string.Compare(text, other, StringComparison.OrdinalIgnoreCase);
                return true;
            case (bool one, bool other):
                order = one.CompareTo(other);
                return true;
            default:
                return false;
        }
    }
}
