using System.Buffers;
using System.Collections;
using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

/// <summary>
/// Turns comparisons of a field with values into conditions of the search engine. Public clients write <c>"*"</c> for a
/// lower bound that they do not have and <c>"NULL"</c> for an upper one, and write a date with or without a <c>Z</c> at
/// its end.
/// </summary>
/// <param name="text">The query, for errors.</param>
/// <param name="evaluate">Gives the values of literals, parameters and functions.</param>
/// <param name="query">Takes the conditions.</param>
/// <param name="isExact">Whether texts are compared exactly.</param>
internal sealed class RqlComparisons(
    string text, Func<RqlExpression, object?> evaluate, SearchQuery query, bool isExact)
{
    /// <summary>What clients write for an open lower bound; it is an open upper bound too.</summary>
    private const string NoBound = "*";

    /// <summary>What clients write for an open upper bound.</summary>
    private const string NoUpperBound = "NULL";

    /// <summary>Whether a value in the place of a bound means that it is open.</summary>
    internal static bool IsOpen(object? bound, bool isUpper) =>
        bound is NoBound || (isUpper && bound is NoUpperBound);

    /// <summary>A comparison: <c>=</c>, <c>!=</c>, <c>&lt;</c> and so on.</summary>
    internal int Compare(RqlComparison comparison, string field)
    {
        object? value = evaluate(comparison.Right);
        RqlExpression place = comparison.Right;
        return comparison.Sign switch
        {
            "=" => Equal(place, value, field),
            "!=" => query.Not(Equal(place, value, field)),
            "<" => Range(field, null, false, new Bound(place, value), false),
            "<=" => Range(field, null, false, new Bound(place, value), true),
            ">" => Range(field, new Bound(place, value), false, null, false),
            _ => Range(field, new Bound(place, value), true, null, false),
        };
    }

    /// <summary>A field between two values, both included.</summary>
    internal int Between(RqlBetween between, string field) => Range(
        field,
        new Bound(between.Lower, evaluate(between.Lower)),
        true,
        new Bound(between.Upper, evaluate(between.Upper)),
        true);

    /// <summary>A field that has one of some values, or all.</summary>
    internal int In(RqlIn list, string field)
    {
        List<object?> values = [];
        foreach (RqlExpression item in list.Values)
        {
            object? value = evaluate(item);
            if (value is IEnumerable many and not string)
            {
                values.AddRange(many.Cast<object?>());
            }
            else
            {
                values.Add(value);
            }
        }

        if (values.Count == 0)
        {
            return query.None();
        }

        if (!list.IsAll)
        {
            return AnyOf(list, [.. values.SelectMany(Spellings)], field);
        }

        return values.Count <= RqlExpressionParser.ConditionsMax
            ? values.Select(value => Equal(list, value, field)).ToList().Aggregate(query.And)
            : throw new RqlException(
                text, list.Position,
                $"expected no more than {RqlExpressionParser.ConditionsMax} values behind 'all in'");
    }

    private int Equal(RqlExpression place, object? value, string field)
    {
        List<object?> spellings = [.. Spellings(value)];
        return spellings.Count == 1 ? query.Equal(field, Add(place, value, field)) : AnyOf(place, spellings, field);
    }

    private int AnyOf(RqlExpression place, List<object?> values, string field)
    {
        int first = 0;
        for (int i = 0; i < values.Count; i++)
        {
            int added = Add(place, values[i], field);
            first = i == 0 ? added : first;
        }

        return query.In(field, first, values.Count);
    }

    /// <summary>The texts of a value: of a date those with and without a Z, of an object the one with plain numbers
    /// and, for indexes that an older version wrote, the given one.</summary>
    private IEnumerable<object?> Spellings(object? value) => value switch
    {
        string date when !isExact && QueryDate.TrySpell(date, out string plain, out string marked) => [plain, marked],
        BlittableValue { IsNull: false } stored => SpellingsOf(JsonOf(stored)),
        _ => [value],
    };

    private static string[] SpellingsOf(ArrayBufferWriter<byte> json)
    {
        string plain = Encoding.UTF8.GetString(CanonicalNumbers.Of(json));
        string given = Encoding.UTF8.GetString(json.WrittenSpan);
        return plain == given ? [given] : [plain, given];
    }

    private int Range(string field, Bound? lower, bool includesLower, Bound? upper, bool includesUpper)
    {
        bool hasLower = lower is { } from && !IsOpen(from.Value, isUpper: false);
        bool hasUpper = upper is { } to && !IsOpen(to.Value, isUpper: true);
        if (!hasLower && !hasUpper)
        {
            return query.All();
        }

        return query.Range(
            field,
            hasLower ? AddBound(lower!.Value, field, isBehind: !includesLower) : SearchQuery.Unbounded,
            includesLower,
            hasUpper ? AddBound(upper!.Value, field, isBehind: includesUpper) : SearchQuery.Unbounded,
            includesUpper);
    }

    private int AddBound(Bound bound, string field, bool isBehind) => Add(
        bound.Place,
        bound.Value is string words && !isExact ? QueryDate.BoundOf(words, isBehind) : bound.Value,
        field);

    private int Add(RqlExpression place, object? value, string field) => value switch
    {
        string id when field == IndexFieldNames.Id => query.Value(IndexFieldNames.FoldId(id)),
        null => query.NullValue(),
        bool isTrue => query.Value(isTrue),
        long integer => query.Value(integer),
        Int128 large => query.Value(large),
        double number => query.Value(number),
        string words => query.Value(words),
        BlittableValue stored => query.Value(Encoding.UTF8.GetString(CanonicalNumbers.Of(JsonOf(stored)))),
        _ => throw new RqlException(
            text, place.Position, "expected a text, a number, true, false or null, or an object"),
    };

    /// <summary>An object is compared as its JSON, the properties in the order of their names.</summary>
    private static ArrayBufferWriter<byte> JsonOf(BlittableValue stored)
    {
        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(stored, json, JsonOutputOptions.Default);
        return json;
    }

    private readonly record struct Bound(RqlExpression Place, object? Value);
}
