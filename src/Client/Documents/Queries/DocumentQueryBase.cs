using System.Linq.Expressions;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Explanation;
using Raven.Client.Documents.Queries.Highlighting;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Queries.Timings;
using Raven.Client.Documents.Session.Loaders;

namespace Raven.Client.Documents.Queries;

/// <summary>See <see cref="IDocumentQueryBase{T, TSelf}"/>.</summary>
internal abstract class DocumentQueryBase<T, TSelf>(QueryRunner runner, PreparedQuery query)
    : FilterDocumentQuery<T, TSelf>(runner, query), IDocumentQueryBase<T, TSelf>
{
    public TSelf OrderBy(
        string fieldName, OrderingType ordering = OrderingType.String, NullOrdering nulls = NullOrdering.Default) =>
        Order(PathOf(fieldName) + SuffixOf(ordering), isDescending: false, nulls);

    public TSelf OrderBy<TValue>(
        Expression<Func<T, TValue>> field, NullOrdering nulls = NullOrdering.Default) =>
        Order(PathOf(field) + Fields.OrderSuffix(field.Body), isDescending: false, nulls);

    public TSelf OrderBy<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering) =>
        Order(PathOf(field) + SuffixOf(ordering), isDescending: false);

    public TSelf OrderByDescending(
        string fieldName, OrderingType ordering = OrderingType.String, NullOrdering nulls = NullOrdering.Default) =>
        Order(PathOf(fieldName) + SuffixOf(ordering), isDescending: true, nulls);

    public TSelf OrderByDescending<TValue>(
        Expression<Func<T, TValue>> field, NullOrdering nulls = NullOrdering.Default) =>
        Order(PathOf(field) + Fields.OrderSuffix(field.Body), isDescending: true, nulls);

    public TSelf OrderByDescending<TValue>(Expression<Func<T, TValue>> field, OrderingType ordering) =>
        Order(PathOf(field) + SuffixOf(ordering), isDescending: true);

    public TSelf AddOrder(
        string fieldName, bool descending = false, OrderingType ordering = OrderingType.String) =>
        Order(PathOf(fieldName) + SuffixOf(ordering), descending);

    public TSelf OrderByScore() => Order("score()", isDescending: false);

    public TSelf OrderByScoreDescending() => Order("score()", isDescending: true);

    public TSelf OrderByDistance(string fieldName, double latitude, double longitude) =>
        Order(QueryParts.DistanceOf(Query.Rql, PathOf(fieldName), latitude, longitude), isDescending: false);

    public TSelf OrderByDistanceDescending(string fieldName, double latitude, double longitude) =>
        Order(QueryParts.DistanceOf(Query.Rql, PathOf(fieldName), latitude, longitude), isDescending: true);

    public TSelf RandomOrdering(string? seed = null) => Order(QueryParts.RandomOrder(seed), isDescending: false);

    public TSelf Take(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Query.Rql.Take = count;
        return Self;
    }

    public TSelf Skip(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Query.Rql.Skip = count;
        return Self;
    }

    public TSelf Distinct()
    {
        Query.Rql.IsDistinct = true;
        return Self;
    }

    public TSelf Include(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        Query.Rql.Include(RqlBuilder.Field(path));
        return Self;
    }

    public TSelf Include(Expression<Func<T, object?>> path) => Include(Serializer.PathOf(path));

    public TSelf Include(Action<IIncludeBuilder<T>> includes)
    {
        ArgumentNullException.ThrowIfNull(includes);
        var builder = new IncludeBuilder<T>(Serializer);
        includes(builder);
        QueryParts.AddIncludes(Query.Rql, builder.List);
        return Self;
    }

    public TSelf Highlight(
        string fieldName, int fragmentLength, int fragmentCount, out Highlightings highlightings)
    {
        highlightings = new Highlightings(fieldName);
        QueryParts.AddHighlight(
            Query, PathOf(fieldName), highlightings, fragmentLength, fragmentCount, options: null);
        return Self;
    }

    public TSelf Highlight(
        string fieldName, int fragmentLength, int fragmentCount, HighlightingOptions options,
        out Highlightings highlightings)
    {
        ArgumentNullException.ThrowIfNull(options);
        highlightings = new Highlightings(fieldName);
        QueryParts.AddHighlight(Query, PathOf(fieldName), highlightings, fragmentLength, fragmentCount, options);
        return Self;
    }

    public TSelf Timings(out QueryTimings timings)
    {
        timings = new QueryTimings();
        QueryParts.AddTimings(Query, timings);
        return Self;
    }

    public TSelf IncludeExplanations(out Explanations explanations)
    {
        explanations = new Explanations();
        QueryParts.AddExplanations(Query, explanations, options: null);
        return Self;
    }

    public TSelf IncludeExplanations(ExplanationOptions options, out Explanations explanations)
    {
        ArgumentNullException.ThrowIfNull(options);
        explanations = new Explanations();
        QueryParts.AddExplanations(Query, explanations, options);
        return Self;
    }

    public TSelf AddParameter(string name, object? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Query.Rql.Parameters[name.TrimStart('$')] = value;
        return Self;
    }

    public TSelf Projection(ProjectionBehavior behavior)
    {
        Query.Options.Projection = behavior;
        return Self;
    }

    public TSelf Statistics(out QueryStatistics statistics)
    {
        statistics = new QueryStatistics();
        Query.Options.FillWithEachAnswer(statistics);
        return Self;
    }

    public TSelf WaitForNonStaleResults(TimeSpan? timeout = null)
    {
        Query.Options.Wait = timeout ?? Runner.Session.Conventions.WaitForNonStaleResultsTimeout;
        return Self;
    }

    public TSelf NoTracking()
    {
        Query.Options.NoTracking = true;
        return Self;
    }

    public TSelf NoCaching()
    {
        Query.Options.NoCaching = true;
        return Self;
    }

    public TSelf BeforeQueryExecuted(Action<IndexQuery> action)
    {
        Query.Options.BeforeSent += action;
        return Self;
    }

    public TSelf AfterQueryExecuted(Action<QueryStatistics> action)
    {
        ArgumentNullException.ThrowIfNull(action);
        Query.Options.Answered += answer => action(answer.Statistics);
        return Self;
    }

    public IndexQuery GetIndexQuery() => Query.ToIndexQuery();

    public override string ToString() => Query.Rql.ToText();

    private protected PreparedQuery Selected<TProjection>(string[] fields)
    {
        PreparedQuery copy = Query.Copy();
        QueryParts.Select<TProjection>(copy, fields, PathOf);
        return copy;
    }

    private protected PreparedQuery Selected<TProjection>() => Selected<TProjection>(
        [.. Serializer.NamesOf(typeof(TProjection))]);

    private protected PreparedQuery SelectedSeries<TTimeSeries>(Func<ITimeSeriesQueryBuilder, TTimeSeries> say)
    {
        ArgumentNullException.ThrowIfNull(say);
        PreparedQuery copy = Query.Copy();
        var builder = new TimeSeriesQueryBuilder(new FieldTranslator(copy.Rql, Runner.Session.Conventions));
        say(builder);
        copy.Rql.Select = $"timeseries({builder.Text})";
        copy.Options.IsProjection = true;
        return copy;
    }

    private protected PreparedQuery Untyped<TResult>()
    {
        PreparedQuery copy = Query.Copy();
        copy.Options.IsProjection |= copy.Rql.GroupBy != null;
        return copy;
    }

    private EntitySerializer Serializer => Runner.Session.Conventions.Serializer;

    private static string SuffixOf(OrderingType ordering) => ordering switch
    {
        OrderingType.Long => " as long",
        OrderingType.Double => " as double",
        OrderingType.AlphaNumeric => " as alphanumeric",
        _ => "",
    };

    private TSelf Order(string key, bool isDescending, NullOrdering nulls = NullOrdering.Default)
    {
        string last = nulls switch
        {
            NullOrdering.First => " nulls first",
            NullOrdering.Last => " nulls last",
            _ => "",
        };
        Query.Rql.OrderBy(key + (isDescending ? " desc" : "") + last);
        return Self;
    }
}
