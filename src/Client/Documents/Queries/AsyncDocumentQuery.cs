using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Queries.Suggestions;
using Raven.Client.Documents.Queries.TimeSeries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>See <see cref="IAsyncDocumentQuery{T}"/>.</summary>
internal sealed class AsyncDocumentQuery<T>(QueryRunner runner, PreparedQuery query)
    : DocumentQueryBase<T, IAsyncDocumentQuery<T>>(runner, query), IAsyncDocumentQuery<T>
{
    private protected override IAsyncDocumentQuery<T> Self => this;

    public IAsyncDocumentQuery<TProjection> SelectFields<TProjection>() =>
        new AsyncDocumentQuery<TProjection>(Runner, Selected<TProjection>());

    public IAsyncDocumentQuery<TProjection> SelectFields<TProjection>(params string[] fields) =>
        new AsyncDocumentQuery<TProjection>(Runner, Selected<TProjection>(fields));

    public IAsyncDocumentQuery<TTimeSeries> SelectTimeSeries<TTimeSeries>(
        Func<ITimeSeriesQueryBuilder, TTimeSeries> timeSeriesQuery) where TTimeSeries : TimeSeriesQueryResult =>
        new AsyncDocumentQuery<TTimeSeries>(Runner, SelectedSeries(timeSeriesQuery));

    public IGroupByDocumentQuery<T, IAsyncDocumentQuery<T>> GroupBy(
        string fieldName, params string[] fieldNames) =>
        new GroupByDocumentQuery<T, IAsyncDocumentQuery<T>>(Query, this, [fieldName, .. fieldNames]);

    public IAsyncDocumentQuery<TResult> OfType<TResult>() =>
        new AsyncDocumentQuery<TResult>(Runner, Untyped<TResult>());

    public Task<List<T>> ToListAsync(CancellationToken cancellationToken = default) =>
        Runner.ListAsync<T>(Query, cancellationToken);

    public async Task<T[]> ToArrayAsync(CancellationToken cancellationToken = default) =>
        [.. await ToListAsync(cancellationToken).ConfigureAwait(false)];

    public async Task<T> FirstAsync(CancellationToken cancellationToken = default) =>
        (await OfAsync(1, cancellationToken).ConfigureAwait(false)).First();

    public async Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default) =>
        (await OfAsync(1, cancellationToken).ConfigureAwait(false)).FirstOrDefault();

    public async Task<T> SingleAsync(CancellationToken cancellationToken = default) =>
        (await OfAsync(2, cancellationToken).ConfigureAwait(false)).Single();

    public async Task<T?> SingleOrDefaultAsync(CancellationToken cancellationToken = default) =>
        (await OfAsync(2, cancellationToken).ConfigureAwait(false)).SingleOrDefault();

    public async Task<bool> AnyAsync(CancellationToken cancellationToken = default) =>
        await LongCountAsync(cancellationToken).ConfigureAwait(false) > 0;

    public async Task<int> CountAsync(CancellationToken cancellationToken = default) =>
        checked((int)await LongCountAsync(cancellationToken).ConfigureAwait(false));

    public Task<long> LongCountAsync(CancellationToken cancellationToken = default) =>
        Runner.CountAsync(Query, cancellationToken);

    public Lazy<Task<IEnumerable<T>>> LazilyAsync()
    {
        Func<Task<List<T>>> list = Runner.ListLazily<T>(Query.Copy());
        return new(async () => await list().ConfigureAwait(false));
    }

    public Lazy<Task<int>> CountLazilyAsync()
    {
        Func<Task<long>> count = Runner.CountLazily(Query.Copy());
        return new(async () => checked((int)await count().ConfigureAwait(false)));
    }

    public IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default) =>
        Runner.StreamAsync<T>(Query.ToIndexQuery(), Query.Options, cancellationToken);

    public IAggregationQuery<T> AggregateBy(Action<IFacetBuilder<T>> builder) =>
        new AggregationQuery<T>(Runner, Query.Copy()).AndAggregateBy(builder);

    public IAggregationQuery<T> AggregateUsing(string facetSetupDocumentId) =>
        AggregationQuery<T>.Using(Runner, Query.Copy(), facetSetupDocumentId);

    public ISuggestionQuery<T> SuggestUsing(Action<ISuggestionBuilder<T>> builder) =>
        new SuggestionQuery<T>(Runner, Query.Copy()).AndSuggestUsing(builder);

    public IRavenQueryable<T> ToQueryable() =>
        new RavenQueryable<T>(new RavenQueryProvider(Runner.Session, Query.Copy()));

    public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        foreach (T result in await ToListAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return result;
        }
    }

    private Task<List<T>> OfAsync(int results, CancellationToken cancellationToken) =>
        Runner.ListAsync<T>(Query.Of(results), cancellationToken);
}
