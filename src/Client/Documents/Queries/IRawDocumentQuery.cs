using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>A query that is written as RQL.</summary>
public interface IRawDocumentQuery<T> : IAsyncEnumerable<T>
{
    /// <summary>Gives a value to a <c>$name</c> of the text.</summary>
    IRawDocumentQuery<T> AddParameter(string name, object? value);

    /// <summary>Waits for the index, at most so long.</summary>
    IRawDocumentQuery<T> WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Keeps the results out of the session.</summary>
    IRawDocumentQuery<T> NoTracking();

    /// <summary>Asks the server each time for the whole answer.</summary>
    IRawDocumentQuery<T> NoCaching();

    /// <summary>Gives what the server says beside the results, once it has answered.</summary>
    IRawDocumentQuery<T> Statistics(out QueryStatistics statistics);

    /// <summary>The results.</summary>
    Task<List<T>> ToListAsync(CancellationToken cancellationToken = default);

    /// <summary>The first result; null where there is none.</summary>
    Task<T?> FirstOrDefaultAsync(CancellationToken cancellationToken = default);

    /// <summary>The results, blocking.</summary>
    List<T> ToList();

    /// <summary>The results as they come, in little memory and tracked by nobody.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);
}
