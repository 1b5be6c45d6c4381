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
}
