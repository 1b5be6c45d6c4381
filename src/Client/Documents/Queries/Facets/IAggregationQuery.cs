namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Facets over what a query finds; see <see cref="Linq.LinqExtensions.AggregateBy{T}"/>.</summary>
public interface IAggregationQuery<T>
{
    /// <summary>Adds a facet.</summary>
    IAggregationQuery<T> AndAggregateBy(Action<IFacetBuilder<T>> builder);

    /// <summary>The facets by name.</summary>
    Task<Dictionary<string, FacetResult>> ExecuteAsync(CancellationToken cancellationToken = default);

    /// <summary>The facets by name, blocking.</summary>
    Dictionary<string, FacetResult> Execute();

    /// <summary>The facets, sent with all other lazy requests of the session.</summary>
    Lazy<Task<Dictionary<string, FacetResult>>> ExecuteLazyAsync();

    /// <summary>The facets, sent with all other lazy requests of the session; blocking.</summary>
    Lazy<Dictionary<string, FacetResult>> ExecuteLazy();

    /// <summary>The query as text, RQL.</summary>
    string ToString();
}
