using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates the calls behind <c>RavenQuery.TimeSeries</c> to a query of a time series.</summary>
internal static class SeriesTranslator
{
    private static readonly string Queryable = typeof(ITimeSeriesQueryable).Namespace!;

    /// <summary>Whether an expression gives the result of a query of a time series.</summary>
    internal static bool IsSeries(Expression expression) =>
        FieldTranslator.Strip(expression) is MethodCallExpression { Method.Name: "ToList", Object: { } } call
        && call.Method.DeclaringType?.Namespace == Queryable;

    /// <summary>Whether it is so for a series of the result, and not of another document.</summary>
    internal static bool IsOfResult(Expression expression)
    {
        if (!IsSeries(expression))
        {
            return false;
        }

        Expression at = FieldTranslator.Strip(expression);
        while (at is MethodCallExpression { Object: { } source })
        {
            at = FieldTranslator.Strip(source);
        }

        return at is MethodCallExpression { Arguments: var arguments }
            && (!HasDocument(arguments) || FieldTranslator.Strip(arguments[0]) is ParameterExpression);
    }

    /// <summary>The query of an expression that <see cref="IsSeries"/>.</summary>
    /// <param name="fields">Names and values.</param>
    /// <param name="expression">The expression.</param>
    /// <param name="document">The document of the series; null if it is the result.</param>
    /// <exception cref="NotSupportedException">A part cannot be translated; the message names it.</exception>
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesEntry))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesEntry<>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesRawResult))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesRawResult<>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesAggregationResult))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesAggregationResult<>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesRangeAggregation))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(TimeSeriesRangeAggregation<>))]
    internal static string Translate(FieldTranslator fields, Expression expression, out Expression? document)
    {
        List<MethodCallExpression> calls = [];
        Expression at = FieldTranslator.Strip(expression);
        while (at is MethodCallExpression { Object: { } source } call)
        {
            calls.Add(call);
            at = FieldTranslator.Strip(source);
        }

        if (at is not MethodCallExpression { Method.Name: nameof(RavenQuery.TimeSeries) } begin
            || !FieldTranslator.IsHelper(begin))
        {
            throw Refuse(expression, $"it does not begin with {nameof(RavenQuery)}.{nameof(RavenQuery.TimeSeries)}");
        }

        SeriesQueryWriter writer = Begin(fields, begin, out document);
        for (int i = calls.Count - 1; i > 0; i--)
        {
            Apply(writer, calls[i]);
        }

        return writer.ToText();
    }

    /// <summary>Whether a call names a document: without one it has a name, and perhaps two bounds.</summary>
    private static bool HasDocument(IReadOnlyList<Expression> arguments) => arguments.Count is 2 or 4;

    private static SeriesQueryWriter Begin(
        FieldTranslator fields, MethodCallExpression begin, out Expression? document)
    {
        Expression[] arguments = [.. begin.Arguments];
        bool hasDocument = HasDocument(arguments);
        document = hasDocument ? FieldTranslator.Strip(arguments[0]) : null;
        int at = hasDocument ? 1 : 0;
        var writer = new SeriesQueryWriter(fields, Value<string>(arguments[at]));
        if (arguments.Length > 2)
        {
            writer.Between(Value<DateTime>(arguments[at + 1]), Value<DateTime>(arguments[at + 2]));
        }

        return writer;
    }

    private static void Apply(SeriesQueryWriter writer, MethodCallExpression call)
    {
        switch (call.Method.Name)
        {
            case nameof(ITimeSeriesQueryable.Where):
                writer.Where(LambdaOf(call));
                break;
            case nameof(ITimeSeriesQueryable.FromFirst):
                writer.FromEdge(isLast: false, Period(call));
                break;
            case nameof(ITimeSeriesQueryable.FromLast):
                writer.FromEdge(isLast: true, Period(call));
                break;
            case nameof(ITimeSeriesQueryable.LoadByTag):
                writer.Load();
                break;
            case nameof(ITimeSeriesQueryable.GroupBy) when call.Arguments[0].Type == typeof(string):
                writer.GroupBy(Value<string>(call.Arguments[0]));
                break;
            case nameof(ITimeSeriesQueryable.GroupBy):
                writer.GroupBy(Period(call));
                break;
            case nameof(ITimeSeriesQueryable.Select):
                writer.Select(LambdaOf(call));
                break;
            case nameof(ITimeSeriesQueryable.Scale):
                writer.Scale(Value<double>(call.Arguments[0]));
                break;
            case nameof(ITimeSeriesQueryable.Offset):
                writer.Offset(Value<TimeSpan>(call.Arguments[0]));
                break;
            default:
                throw Refuse(call, "it is no part of a query of a time series");
        }
    }

    private static LambdaExpression LambdaOf(MethodCallExpression call) =>
        FieldTranslator.Strip(call.Arguments[0]) as LambdaExpression
        ?? (LambdaExpression)FieldTranslator.Evaluate(call.Arguments[0])!;

    private static Action<ITimePeriodBuilder> Period(MethodCallExpression call) =>
        (Action<ITimePeriodBuilder>)FieldTranslator.Evaluate(call.Arguments[0])!;

    private static T Value<T>(Expression expression) => !FieldTranslator.ReadsDocument(expression)
        && FieldTranslator.Evaluate(expression) is T value
            ? value
            : throw Refuse(expression, "it must be a value that is known before the query is sent");

    private static NotSupportedException Refuse(Expression expression, string why) =>
        new($"'{expression}' cannot be translated: {why}.");
}
