using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Timings;

namespace Raven.Client.Documents.Linq;

/// <summary>Options of how a query is sent.</summary>
public interface IDocumentQueryCustomization
{
    /// <summary>Waits for the index, at most this long.</summary>
    IDocumentQueryCustomization WaitForNonStaleResults(TimeSpan? timeout = null);

    /// <summary>Makes the session not track the results.</summary>
    IDocumentQueryCustomization NoTracking();

    /// <summary>Requests the whole answer from the server each time.</summary>
    IDocumentQueryCustomization NoCaching();

    /// <summary>Gives the results in a random order.</summary>
    /// <param name="seed">The same seed gives the same order; null gives a different one each time.</param>
    IDocumentQueryCustomization RandomOrdering(string? seed = null);

    /// <summary>Sets the source of the fields of a projection.</summary>
    IDocumentQueryCustomization Projection(ProjectionBehavior behavior);

    /// <summary>Returns an object that holds, after the answer, the times of each part on the server.</summary>
    IDocumentQueryCustomization Timings(out QueryTimings timings);

    /// <summary>Sets an action that is called before the query is sent.</summary>
    IDocumentQueryCustomization BeforeQueryExecuted(Action<IndexQuery> action);

    /// <summary>Sets an action that is called with the statistics of the answer.</summary>
    IDocumentQueryCustomization AfterQueryExecuted(Action<QueryStatistics> action);
}
