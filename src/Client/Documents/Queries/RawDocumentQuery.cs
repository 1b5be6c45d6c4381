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

    public IRawDocumentQuery<T> Statistics(out QueryStatistics statistics)
    {
        statistics = _options.Statistics;
        return this;
    }

    public Task<List<T>> ToListAsync(CancellationToken cancellationToken = default) =>
        _runner.RunAsync<T>(ToIndexQuery(), _options, cancellationToken);

    public async Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default) =>
        (await ToListAsync(cancellationToken).ConfigureAwait(false)).FirstOrDefault();

    public List<T> ToList() => ToListAsync().GetAwaiter().GetResult();

    public IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default) =>
        _runner.StreamAsync<T>(ToIndexQuery(), _options, cancellationToken);

    public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        foreach (T result in await ToListAsync(cancellationToken).ConfigureAwait(false))
        {
            yield return result;
        }
    }

    private IndexQuery ToIndexQuery() => new()
    {
        Query = rql,
        QueryParameters = _parameters,
        WaitForNonStaleResultsTimeout = _options.Wait,
        DisableCaching = _options.NoCaching,
    };
}
