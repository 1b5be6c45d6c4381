using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Timings;

namespace Raven.Client.Documents.Linq;

/// <summary>How a query is sent.</summary>
public interface IDocumentQueryCustomization
{
    /// <summary>Waits for the index, at most so long.</summary>
    IDocumentQueryCustomization WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Keeps the results out of the session.</summary>
    IDocumentQueryCustomization NoTracking();

    /// <summary>Asks the server each time for the whole answer.</summary>
    IDocumentQueryCustomization NoCaching();

    /// <summary>Gives the results in an order by chance.</summary>
    /// <param name="seed">The same seed gives the same order; null gives another each time.</param>
    IDocumentQueryCustomization RandomOrdering(string? seed = null);

    /// <summary>Where the fields of a projection come from.</summary>
    IDocumentQueryCustomization Projection(ProjectionBehavior behavior);

    /// <summary>Says where the time goes on the server, once it has answered.</summary>
    IDocumentQueryCustomization Timings(out QueryTimings timings);

    /// <summary>Is called before the query is sent.</summary>
    IDocumentQueryCustomization BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Is called with what the server said, once it has answered.</summary>
    IDocumentQueryCustomization AfterQueryExecuted(Action<QueryStatistics> action);
}
