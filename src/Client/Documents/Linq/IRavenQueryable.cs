using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// A query written with LINQ. The server does all of it: an expression that cannot be said in RQL is a
/// <see cref="NotSupportedException"/> that names it. Texts are compared without regard to case, as the server's
/// default analyzer does.
/// </summary>
public interface IRavenQueryable<T> : IOrderedQueryable<T>
{
    /// <summary>The results for <c>await foreach</c>; sends the query.</summary>
    IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default);

    /// <summary>Gives what the server says beside the results, once it has answered.</summary>
    IRavenQueryable<T> Statistics(out QueryStatistics statistics);

    /// <summary>Says how the query is sent.</summary>
    IRavenQueryable<T> Customize(Action<IDocumentQueryCustomization> customize);

    /// <summary>The query as text, RQL, as it would be sent.</summary>
    IndexQuery ToIndexQuery();

    /// <summary>The results as they come, in little memory and tracked by nobody.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);
}
