namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Names that a query gives to values of groups: after <c>order by</c>, <c>where</c> and <c>filter</c> they stand for
/// those values, and <c>key()</c> of a query that groups by one field for this field.
/// </summary>
internal static class RqlGroupNames
{
    /// <summary>Replaces the names by their expressions.</summary>
    internal static void Resolve(RqlQuery query)
    {
        if (query.GroupBy.Count == 0)
        {
            return;
        }

        Dictionary<string, RqlExpression> named = new(StringComparer.Ordinal);
        foreach (RqlNamed item in query.Select)
        {
            if (item.Alias is { } alias && IsOfGroup(item.Expression))
            {
                named[alias] = item.Expression;
            }
        }

        query.Where = query.Where is { } where ? Condition(where, named, query) : null;
        query.Filter = query.Filter is { } filter ? Condition(filter, named, query) : null;
        for (int i = 0; i < query.OrderBy.Count; i++)
        {
            RqlOrder order = query.OrderBy[i];
            query.OrderBy[i] = order with { Expression = Value(order.Expression, named, query) };
        }
    }

    private static bool IsOfGroup(RqlExpression expression) =>
        expression is RqlField || IndexFieldNames.IsAggregate(expression) || IsKey(expression);

    private static bool IsKey(RqlExpression expression) =>
        expression is RqlCall { Arguments.Count: 0 } call
            && call.Name.Equals("key", StringComparison.OrdinalIgnoreCase);

    private static RqlExpression Condition(
        RqlExpression expression, Dictionary<string, RqlExpression> named, RqlQuery query) => expression switch
        {
            RqlLogical logical => logical with
            {
                Left = Condition(logical.Left, named, query),
                Right = Condition(logical.Right, named, query),
            },
            RqlNot not => not with { Inner = Condition(not.Inner, named, query) },
            RqlComparison comparison => comparison with
            {
                Left = Value(comparison.Left, named, query),
                Right = Value(comparison.Right, named, query),
            },
            RqlBetween between => between with
            {
                Field = Value(between.Field, named, query),
                Lower = Value(between.Lower, named, query),
                Upper = Value(between.Upper, named, query),
            },
            RqlIn list => list with
            {
                Field = Value(list.Field, named, query),
                Values = [.. list.Values.Select(value => Value(value, named, query))],
            },
            RqlCall call when !IsOfGroup(call) => call with
            {
                Arguments = [.. call.Arguments.Select(argument => Condition(argument, named, query))],
            },
            _ => Value(expression, named, query),
        };

    private static RqlExpression Value(
        RqlExpression expression, Dictionary<string, RqlExpression> named, RqlQuery query)
    {
        RqlExpression meant = expression is RqlField field && !IsGroupedBy(field, query)
            ? named.GetValueOrDefault(field.Path, field)
            : expression;
        RqlExpression found = IsKey(meant) && query.GroupBy is [var key]
            ? key is RqlCall { Arguments: [var inner] } ? inner : key
            : meant;
        return ReferenceEquals(found, expression) ? found : found with { Position = expression.Position };
    }

    private static bool IsGroupedBy(RqlField field, RqlQuery query) => query.GroupBy.Exists(key =>
        key is RqlField grouped && grouped.Path == field.Path);
}
