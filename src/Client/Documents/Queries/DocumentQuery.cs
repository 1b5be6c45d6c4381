using System.Collections;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>
/// See <see cref="IDocumentQuery{T}"/>. Waits for the asynchronous calls, none of which resumes on the
/// caller's context.
/// </summary>
internal sealed class DocumentQuery<T>(QueryRunner runner, PreparedQuery query)
    : DocumentQueryBase<T, IDocumentQuery<T>>(runner, query), IDocumentQuery<T>
{
    private protected override IDocumentQuery<T> Self => this;

    public IDocumentQuery<TProjection> SelectFields<TProjection>() =>
        new DocumentQuery<TProjection>(Runner, Selected<TProjection>());

    public IDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields) =>
        new DocumentQuery<TProjection>(Runner, Selected<TProjection>(fields));

    public IDocumentQuery<TTimeSeries> SelectTimeSeries<TTimeSeries>(
        Func<ITimeSeriesQueryBuilder, TTimeSeries> timeSeriesQuery) where TTimeSeries : TimeSeriesQueryResult =>
        new DocumentQuery<TTimeSeries>(Runner, SelectedSeries(timeSeriesQuery));

    public IGroupByDocumentQuery<T, IDocumentQuery<T>> GroupBy(string fieldName, params string[] fieldNames) =>
        new GroupByDocumentQuery<T, IDocumentQuery<T>>(Query, this, [fieldName, .. fieldNames]);

    public IDocumentQuery<TResult> OfType<TResult>() => new DocumentQuery<TResult>(Runner, Untyped<TResult>());

    public List<T> ToList() => Wait(Runner.ListAsync<T>(Query, CancellationToken.None));

    public T[] ToArray() => [.. ToList()];

    public T First() => Of(1).First();

    public T? FirstOrDefault() => Of(1).FirstOrDefault();

    public T Single() => Of(2).Single();

    public T? SingleOrDefault() => Of(2).SingleOrDefault();

    public bool Any() => LongCount() > 0;

    public int Count() => checked((int)LongCount());

    public long LongCount() => Wait(Runner.CountAsync(Query, CancellationToken.None));

    public Lazy<IEnumerable<T>> Lazily()
    {
        Func<Task<List<T>>> list = Runner.ListLazily<T>(Query.Copy());
        return new(() => Wait(list()));
    }

    public Lazy<int> CountLazily()
    {
        Func<Task<long>> count = Runner.CountLazily(Query.Copy());
        return new(() => checked((int)Wait(count())));
    }

    public IEnumerable<StreamResult<T>> Stream() =>
        Runner.StreamAsync<T>(Query.ToIndexQuery(), Query.Options, CancellationToken.None).ToBlockingEnumerable();

    public IAggregationQuery<T> AggregateBy(Action<IFacetBuilder<T>> builder) =>
        new AggregationQuery<T>(Runner, Query.Copy()).AndAggregateBy(builder);

    public IAggregationQuery<T> AggregateUsing(string facetSetupDocumentId) =>
        AggregationQuery<T>.Using(Runner, Query.Copy(), facetSetupDocumentId);

    public ISuggestionQuery<T> SuggestUsing(Action<ISuggestionBuilder<T>> builder) =>
        new SuggestionQuery<T>(Runner, Query.Copy()).AndSuggestUsing(builder);

    public IRavenQueryable<T> ToQueryable() =>
        new RavenQueryable<T>(new RavenQueryProvider(Runner.Session, Query.Copy()));

    public IEnumerator<T> GetEnumerator() => ToList().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private static TResult Wait<TResult>(Task<TResult> task) => task.GetAwaiter().GetResult();

    private List<T> Of(int results) => Wait(Runner.ListAsync<T>(Query.Of(results), CancellationToken.None));
}
