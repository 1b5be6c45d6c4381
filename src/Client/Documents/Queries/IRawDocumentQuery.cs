using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is written as RQL. <c>await foreach</c> asks the server.</summary>
public interface IRawDocumentQuery<T> : IAsyncEnumerable<T>
{
    /// <summary>Gives a value to a <c>$name</c> of the text.</summary>
    IRawDocumentQuery<T> AddParameter(string name, object? value);

    /// <summary>Waits for the index, at most so long; an error where that was too short.</summary>
    IRawDocumentQuery<T> WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Keeps the results out of the session.</summary>
    IRawDocumentQuery<T> NoTracking();

    /// <summary>Asks the server each time for the whole answer.</summary>
    IRawDocumentQuery<T> NoCaching();

    /// <summary>Where the fields of a projection come from.</summary>
    IRawDocumentQuery<T> Projection(ProjectionBehavior behavior);

    /// <summary>Gives what the server says beside the results, once it has answered.</summary>
    IRawDocumentQuery<T> Statistics(out QueryStatistics statistics);

    /// <summary>Is called before the query is sent.</summary>
    IRawDocumentQuery<T> BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Is called with what the server said, once it has answered.</summary>
    IRawDocumentQuery<T> AfterQueryExecuted(Action<QueryStatistics> action);

    /// <summary>The results.</summary>
    Task<List<T>> ToListAsync(CancellationToken cancellationToken = default);

    /// <summary>The results.</summary>
    Task<T[]> ToArrayAsync(CancellationToken cancellationToken = default);

    /// <summary>The first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    Task<T> FirstAsync(CancellationToken cancellationToken = default);

    /// <summary>The first result; null where there is none.</summary>
    Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>The only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    Task<T> SingleAsync(CancellationToken cancellationToken = default);

    /// <summary>The only result; null where there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    Task<T?> SingleOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>Whether there is any result.</summary>
    Task<bool> AnyAsync(CancellationToken cancellationToken = default);

    /// <summary>How many results there are, without regard to a limit of the text.</summary>
    Task<long> CountAsync(CancellationToken cancellationToken = default);

    /// <summary>The facets of a text that selects them, by name.</summary>
    Task<Dictionary<string, FacetResult>> ExecuteAggregationAsync(CancellationToken cancellationToken = default);

    /// <summary>The results, sent with whatever else the session was asked lazily.</summary>
    Lazy<Task<IEnumerable<T>>> LazilyAsync();

    /// <summary>The results, sent with whatever else the session was asked lazily; blocking.</summary>
    Lazy<IEnumerable<T>> Lazily();

    /// <summary>The results, blocking.</summary>
    List<T> ToList();

    /// <summary>The first result, blocking.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    T First();

    /// <summary>The first result, blocking; null where there is none.</summary>
    T? FirstOrDefault();

    /// <summary>The only result, blocking.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    T Single();

    /// <summary>Whether there is any result, blocking.</summary>
    bool Any();

    /// <summary>How many results there are, blocking; without regard to a limit of the text.</summary>
    long Count();

    /// <summary>The results as they come, in little memory and tracked by nobody.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);

    /// <summary>The results as they come, blocking for each.</summary>
    IEnumerable<StreamResult<T>> Stream();
}
