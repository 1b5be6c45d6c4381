using System.Globalization;

namespace Raven.Documents.Queries.Rql;

/// <summary>Parts of a query as people write them.</summary>
internal static class RqlText
{
    /// <summary>The text of an expression; parameters are shown by their names.</summary>
    internal static string Of(RqlExpression expression) => expression switch
    {
        RqlField field => field.Path,
        RqlLiteral { Value: null } => "null",
        RqlLiteral { Value: string text } => $"'{text.Replace("'", "''", StringComparison.Ordinal)}'",
        RqlLiteral { Value: bool isTrue } => isTrue ? "true" : "false",
        RqlLiteral literal => Convert.ToString(literal.Value, CultureInfo.InvariantCulture)!,
        RqlParameter parameter => "$" + parameter.Name,
        RqlScript script => $"{{{script.Text}}}",
        RqlCall call => $"{call.Name}({List(call.Arguments)})",
        RqlComparison comparison => $"{Of(comparison.Left)} {comparison.Sign} {Of(comparison.Right)}",
        RqlBetween between => $"{Of(between.Field)} between {Of(between.Lower)} and {Of(between.Upper)}",
        RqlIn list => $"{Of(list.Field)} {(list.IsAll ? "all in" : "in")} ({List(list.Values)})",
        RqlLogical logical => $"({Of(logical.Left)} {(logical.IsAnd ? "and" : "or")} {Of(logical.Right)})",
        RqlAliased aliased => $"{Of(aliased.Inner)} as {aliased.Alias}",
        RqlNot not => $"not {Of(not.Inner)}",
        _ => "",
    };

    /// <summary>The conditions that are joined by and, or and not.</summary>
    internal static IEnumerable<RqlExpression> Leaves(RqlExpression expression) => expression switch
    {
        RqlLogical logical => Leaves(logical.Left).Concat(Leaves(logical.Right)),
        RqlNot not => Leaves(not.Inner),
        _ => [expression],
    };

    private static string List(IEnumerable<RqlExpression> expressions) => string.Join(", ", expressions.Select(Of));
}
