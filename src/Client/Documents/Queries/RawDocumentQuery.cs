using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>See <see cref="IRawDocumentQuery{T}"/>.</summary>
internal sealed class RawDocumentQuery<T>(AsyncDocumentSession session, string rql) : IRawDocumentQuery<T>
{
    private readonly Dictionary<string, object?> _parameters = [];
    private readonly QueryOptions _options = new();
    private readonly QueryRunner _runner = new(session);

    public IRawDocumentQuery<T> AddParameter(string name, object? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _parameters[name.TrimStart('$')] = value;
        return this;
    }

    public IRawDocumentQuery<T> WaitForNonStaleResults(TimeSpan? timeout = null)
    {
        _options.Wait = timeout ?? session.Conventions.WaitForNonStaleResultsTimeout;
        return this;
    }

    public IRawDocumentQuery<T> NoTracking()
    {
        _options.NoTracking = true;
        return this;
    }

    public IRawDocumentQuery<T> NoCaching()
    {
        _options.NoCaching = true;
        return this;
    }

    public IRawDocumentQuery<T> Projection(ProjectionBehavior behavior)
    {
        _options.Projection = behavior;
        return this;
    }

    public IRawDocumentQuery<T> Statistics(out QueryStatistics statistics)
    {
        statistics = new QueryStatistics();
        _options.FillWithEachAnswer(statistics);
        return this;
    }

    public IRawDocumentQuery<T> BeforeQueryExecuted(Action<IndexQuery> action)
    {
        _options.BeforeSent += action;
        return this;
    }

    public IRawDocumentQuery<T> AfterQueryExecuted(Action<QueryStatistics> action)
    {
        ArgumentNullException.ThrowIfNull(action);
        _options.Answered += answer => action(answer.Statistics);
        return this;
    }

    public Task<List<T>> ToListAsync(CancellationToken cancellationToken = default) =>
        ListAsync(pageSize: null, cancellationToken);

    public async Task<T[]> ToArrayAsync(CancellationToken cancellationToken = default) =>
        [.. await ToListAsync(cancellationToken).ConfigureAwait(false)];

    public async Task<T> FirstAsync(CancellationToken cancellationToken = default) =>
        (await ListAsync(1, cancellationToken).ConfigureAwait(false)).First();

    public async Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default) =>
        (await ListAsync(1, cancellationToken).ConfigureAwait(false)).FirstOrDefault();

    public async Task<T> SingleAsync(CancellationToken cancellationToken = default) =>
        (await ListAsync(2, cancellationToken).ConfigureAwait(false)).Single();

    public async Task<T?> SingleOrDefaultAsync(CancellationToken cancellationToken = default) =>
        (await ListAsync(2, cancellationToken).ConfigureAwait(false)).SingleOrDefault();

    public async Task<bool> AnyAsync(CancellationToken cancellationToken = default) =>
        await CountAsync(cancellationToken).ConfigureAwait(false) > 0;

    public async Task<long> CountAsync(CancellationToken cancellationToken = default)
    {
        QueryAnswer answer = await _runner.AskAsync(
            ToIndexQuery(pageSize: 0), _options, NoResults.Instance, cancellationToken).ConfigureAwait(false);
        return answer.Statistics.TotalResults;
    }

    public async Task<Dictionary<string, FacetResult>> ExecuteAggregationAsync(
        CancellationToken cancellationToken = default)
    {
        var results = new NamedResults<FacetResult>(facet => facet.Name);
        await _runner.AskAsync(ToIndexQuery(), _options, results, cancellationToken).ConfigureAwait(false);
        return results.Items;
    }

    public Lazy<Task<IEnumerable<T>>> LazilyAsync()
    {
        Func<Task<List<T>>> list = ListLazily();
        return new(async () => await list().ConfigureAwait(false));
    }

    public Lazy<IEnumerable<T>> Lazily()
    {
        Func<Task<List<T>>> list = ListLazily();
        return new(() => Wait(list()));
    }

    public List<T> ToList() => Wait(ToListAsync());

    public T First() => Wait(FirstAsync());

    public T? FirstOrDefault() => Wait(FirstOrDefaultAsync());

    public T Single() => Wait(SingleAsync());

    public bool Any() => Wait(AnyAsync());

    public long Count() => Wait(CountAsync());

    public IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default) =>
        _runner.StreamAsync<T>(ToIndexQuery(), _options, cancellationToken);

    public IEnumerable<StreamResult<T>> Stream() => StreamAsync().ToBlockingEnumerable();

    public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        foreach (T result in await ToListAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return result;
        }
    }

    /// <summary>The text.</summary>
    public override string ToString() => rql;

    private static TResult Wait<TResult>(Task<TResult> task) => task.GetAwaiter().GetResult();

    private Task<List<T>> ListAsync(int? pageSize, CancellationToken cancellationToken) =>
        _runner.ListAsync<T>(ToIndexQuery(pageSize), _options, cancellationToken);

    private Func<Task<List<T>>> ListLazily() => _runner.ListLazily<T>(ToIndexQuery(), _options);

    private IndexQuery ToIndexQuery(int? pageSize = null) => new()
    {
        Query = rql,
        QueryParameters = _parameters,
        WaitForNonStaleResultsTimeout = _options.Wait,
        DisableCaching = _options.NoCaching,
        ProjectionBehavior = _options.Projection,
        PageSize = pageSize,
    };
}
