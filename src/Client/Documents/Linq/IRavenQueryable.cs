using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// A query written with LINQ. The server does all of it: an expression without a counterpart in RQL throws a
/// <see cref="NotSupportedException"/> that names it. Texts are compared without regard to case, as the server's
/// default analyzer does.
/// </summary>
public interface IRavenQueryable<T> : IOrderedQueryable<T>
{
    /// <summary>The results for <c>await foreach</c>; sends the query.</summary>
    IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default);

    /// <summary>Returns an object that holds, after the answer, the statistics of the query.</summary>
    IRavenQueryable<T> Statistics(out QueryStatistics statistics);

    /// <summary>Sets how the query is sent.</summary>
    IRavenQueryable<T> Customize(Action<IDocumentQueryCustomization> customize);

    /// <summary>The query as text, RQL, as it would be sent.</summary>
    IndexQuery ToIndexQuery();

    /// <summary>The results as they arrive, in little memory and untracked.</summary>
    IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default);
}
