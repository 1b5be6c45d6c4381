namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Facets over the results of a query; see <see cref="Linq.LinqExtensions.AggregateBy{T}"/>.</summary>
public interface IAggregationQuery<T>
{
    /// <summary>Adds a facet.</summary>
    IAggregationQuery<T> AndAggregateBy(Action<IFacetBuilder<T>> builder);

    /// <summary>Sends the query; returns the facets by name.</summary>
    Task<Dictionary<string, FacetResult>> ExecuteAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query, blocking; returns the facets by name.</summary>
    Dictionary<string, FacetResult> Execute();

    /// <summary>The facets, sent with all other lazy requests of the session.</summary>
    Lazy<Task<Dictionary<string, FacetResult>>> ExecuteLazyAsync();

    /// <summary>The facets, sent with all other lazy requests of the session; blocking.</summary>
    Lazy<Dictionary<string, FacetResult>> ExecuteLazy();

    /// <summary>The text of the query, RQL.</summary>
    string ToString();
}
