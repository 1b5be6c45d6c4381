using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is written as RQL. <c>await foreach</c> sends it.</summary>
public interface IRawDocumentQuery<T> : IAsyncEnumerable<T>
{
    /// <summary>Sets the value of a parameter, which the text has as <c>$name</c>.</summary>
    IRawDocumentQuery<T> AddParameter(string name, object? value);

    /// <summary>Waits until the index is not stale, at most this long; after that it is an error.</summary>
    IRawDocumentQuery<T> WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Makes the session not track the results.</summary>
    IRawDocumentQuery<T> NoTracking();

    /// <summary>Requests the whole answer from the server each time.</summary>
    IRawDocumentQuery<T> NoCaching();

    /// <summary>Sets the source of the fields of a projection.</summary>
    IRawDocumentQuery<T> Projection(ProjectionBehavior behavior);

    /// <summary>Returns an object that the answer fills with the statistics of the query.</summary>
    IRawDocumentQuery<T> Statistics(out QueryStatistics statistics);

    /// <summary>Sets an action that is called before the query is sent.</summary>
    IRawDocumentQuery<T> BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Sets an action that is called with the statistics of each answer.</summary>
    IRawDocumentQuery<T> AfterQueryExecuted(Action<QueryStatistics> action);

    /// <summary>Sends the query; returns all results.</summary>
    Task<List<T>> ToListAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns all results.</summary>
    Task<T[]> ToArrayAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    Task<T> FirstAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the first result, null if there is none.</summary>
    Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    Task<T> SingleAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query; returns the only result, null if there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    Task<T?> SingleOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>Whether there is any result.</summary>
    Task<bool> AnyAsync(CancellationToken cancellationToken = default);

    /// <summary>How many results there are, without regard to a limit of the text.</summary>
    Task<long> CountAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends a query whose text selects facets; returns them by name.</summary>
    Task<Dictionary<string, FacetResult>> ExecuteAggregationAsync(CancellationToken cancellationToken = default);

    /// <summary>The results, sent with all other lazy requests of the session.</summary>
    Lazy<Task<IEnumerable<T>>> LazilyAsync();

    /// <summary>The results, sent with all other lazy requests of the session; blocking.</summary>
    Lazy<IEnumerable<T>> Lazily();

    /// <summary>Sends the query, blocking; returns all results.</summary>
    List<T> ToList();

    /// <summary>The first result, blocking.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    T First();

    /// <summary>The first result, blocking; null if there is none.</summary>
    T? FirstOrDefault();

    /// <summary>The only result, blocking.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    T Single();

    /// <summary>Whether there is any result, blocking.</summary>
    bool Any();

    /// <summary>How many results there are, blocking; without regard to a limit of the text.</summary>
    long Count();

    /// <summary>The results as they arrive, in little memory and untracked.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);

    /// <summary>The results as they arrive, blocking for each.</summary>
    IEnumerable<StreamResult<T>> Stream();
}
