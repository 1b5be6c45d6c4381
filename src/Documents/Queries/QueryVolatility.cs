using System.Text.RegularExpressions;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

//   VOL-1  A query whose answer may change without a write is never answered from a cache. If its text does not show
//          whether that is so, it counts as such a query.

/// <summary>Whether the answer to a query may change by itself: with the time, or at random.</summary>
internal static partial class QueryVolatility
{
    /// <summary>Whether the answer to a query may change by itself.</summary>
    internal static bool IsOf(RqlQuery rql) =>
        (rql.Where is { } where && Contains(where)) || (rql.Filter is { } filter && Contains(filter))
        || (rql.Skip is { } skip && Contains(skip)) || (rql.Take is { } take && Contains(take))
        || (rql.FilterLimit is { } scanned && Contains(scanned))
        || rql.Include.Exists(include => Contains(include) || Is(include, "timings"))
        || rql.Select.Exists(item => Contains(item.Expression))
        || rql.Series.Exists(declared => Contains(declared.Query))
        || rql.OrderBy.Exists(order => Contains(order.Expression)
            || (order.Expression is RqlCall { Arguments.Count: 0 } && Is(order.Expression, "random")))
        || (rql.SelectScript is { } projected && MayReadClock().IsMatch(projected.Text))
        || rql.Declarations.Exists(declared => MayReadClock().IsMatch(declared.Body.Text)
            || declared.Parameters.Any(parameter => MayReadClock().IsMatch(parameter)));

    /// <summary>Whether it may read compare-exchange values, whose changes are in no collection: a script that builds
    /// the name of the function at run time counts as one whose answer may change by itself.</summary>
    internal static bool MayReadValues(string text) =>
        text.Contains("cmpxchg", StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// Texts in a script that lead to the clock or to random numbers: <c>Date</c> if it is no property (<c>u.Date</c>,
    /// <c>Date: 1</c>), <c>Math.random</c>, and everything that finds these by a name built at run time. A wrong match
    /// costs only a transfer.
    /// </summary>
    [GeneratedRegex(
        """
        (?<!(?<!\.\.)\.)\bDate\b(?!(?<=(^|[{,])\s*Date)\s*:)
        |\bMath\b(?!\.[A-Za-z_$])
        |\b(random|globalThis|this|constructor|eval|Function)\b
        |\\
        """,
        RegexOptions.CultureInvariant | RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex MayReadClock();

    private static bool Contains(RqlExpression expression) => expression switch
    {
        RqlLogical logical => Contains(logical.Left) || Contains(logical.Right),
        RqlNot not => Contains(not.Inner),
        RqlComparison comparison => Contains(comparison.Left) || Contains(comparison.Right),
        RqlBetween between => Contains(between.Field) || Contains(between.Lower) || Contains(between.Upper),
        RqlIn list => Contains(list.Field) || list.Values.Any(Contains),
        RqlCall call => QueryFunctions.IsOfTime(call) || call.Arguments.Any(Contains),
        RqlTimeSeries series => (series.From is { } from && Contains(from)) || (series.To is { } to && Contains(to))
            || (series.Where is { } where && Contains(where)),
        _ => false,
    };

    private static bool Is(RqlExpression expression, string name) =>
        expression is RqlCall call && call.Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
