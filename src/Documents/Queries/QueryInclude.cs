using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;

namespace Raven.Documents.Queries;

/// <summary>Something that a query wants sent along with its results.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Position">Its place in the text, for errors.</param>
/// <param name="HasArguments">Whether it is a call with arguments.</param>
/// <param name="Arguments">The paths or texts that it names; evaluated as they are read.</param>
public readonly record struct QueryInclude(
    QueryIncludeKind Kind, int Position, bool HasArguments, IEnumerable<QueryIncludeArgument> Arguments)
{
    /// <summary>What a query includes, in its order, but for what is made with the results (highlights, explanations,
    /// timings).</summary>
    /// <param name="session">The query.</param>
    /// <exception cref="RqlException">An include is not served or malformed; thrown by the enumeration.</exception>
    public static IEnumerable<QueryInclude> Of(QuerySession session)
    {
        foreach (RqlExpression include in session.Input.Rql.Include)
        {
            if (include is RqlField or RqlLiteral { Value: string })
            {
                yield return Make(session, QueryIncludeKind.Documents, include, [include]);
            }
            else if (include is RqlCall call)
            {
                if (IsCall(call, "timings") && call.Arguments.Count > 0)
                {
                    throw new RqlException(session.Input.Text, call.Position, "timings() takes no arguments");
                }

                if (!IsWrittenElsewhere(call) && !SeriesInclude.IsOne(call))
                {
                    yield return Make(session, KindOf(session, call), call, call.Arguments);
                }
            }
            else
            {
                throw Unknown(session, include);
            }
        }
    }

    private static QueryInclude Make(
        QuerySession session, QueryIncludeKind kind, RqlExpression include, IReadOnlyList<RqlExpression> arguments) =>
        new(kind, include.Position, arguments.Count > 0, ArgumentsOf(session, arguments));

    private static QueryIncludeKind KindOf(QuerySession session, RqlCall call) =>
        IsCall(call, "cmpxchg") ? QueryIncludeKind.CompareExchange
        : IsCall(call, "counters") ? QueryIncludeKind.Counters
        : IsCall(call, "revisions") ? QueryIncludeKind.Revisions
        : throw Unknown(session, call);

    private static IEnumerable<QueryIncludeArgument> ArgumentsOf(
        QuerySession session, IReadOnlyList<RqlExpression> arguments)
    {
        string? alias = session.Input.Rql.Alias;
        for (int i = 0; i < arguments.Count; i++)
        {
            bool isField = arguments[i] is RqlField;
            foreach (string text in arguments[i] is RqlField field ? [field.Path] : Texts(session, arguments[i]))
            {
                yield return new QueryIncludeArgument(
                    i, arguments[i].Position, isField, text, IndexFieldNames.WithoutAlias(text, alias),
                    IsResult: isField && alias is not null && text.Equals(alias, StringComparison.Ordinal));
            }
        }
    }

    private static IEnumerable<string> Texts(QuerySession session, RqlExpression expression)
    {
        object? value = session.Translator.Evaluate(expression);
        List<object?> all = value is List<object?> list ? list : [value];
        return all.TrueForAll(one => one is string)
            ? all.Cast<string>()
            : throw new RqlException(session.Input.Text, expression.Position, "expected a text, or texts");
    }

    private static bool IsWrittenElsewhere(RqlCall call) =>
        IsCall(call, "timings") || IsCall(call, "highlight") || IsCall(call, "explanations");

    private static bool IsCall(RqlCall call, string name) =>
        call.Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    private static RqlException Unknown(QuerySession session, RqlExpression include) => new(
        session.Input.Text, include.Position,
        "expected a path, counters(), timeseries(), cmpxchg(), revisions(), highlight(), explanations() or timings(): "
        + "nothing else is included here");
}
