namespace Raven.Client.Documents.Queries.Facets;

/// <summary>See <see cref="IAggregationQuery{T}"/>.</summary>
internal sealed class AggregationQuery<T>(QueryRunner runner, PreparedQuery query) : IAggregationQuery<T>
{
    private readonly TermsQuery<FacetResult> _terms = new(runner, query, facet => facet.Name);

    /// <summary>A query for the facets that a stored document defines.</summary>
    internal static AggregationQuery<T> Using(QueryRunner runner, PreparedQuery query, string facetSetupDocumentId)
    {
        ArgumentException.ThrowIfNullOrEmpty(facetSetupDocumentId);
        var made = new AggregationQuery<T>(runner, query);
        made._terms.Add($"facet(id({made._terms.Fields.Parameter(facetSetupDocumentId)}))");
        return made;
    }

    public IAggregationQuery<T> AndAggregateBy(Action<IFacetBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var facet = new FacetBuilder<T>(_terms.Fields);
        builder(facet);
        _terms.Add(facet.ToItem());
        return this;
    }

    public Task<Dictionary<string, FacetResult>> ExecuteAsync(CancellationToken cancellationToken = default) =>
        _terms.ExecuteAsync(cancellationToken);

    public Dictionary<string, FacetResult> Execute() => ExecuteAsync().GetAwaiter().GetResult();

    public Lazy<Task<Dictionary<string, FacetResult>>> ExecuteLazyAsync() => new(_terms.ExecuteLazily());

    public Lazy<Dictionary<string, FacetResult>> ExecuteLazy()
    {
        Func<Task<Dictionary<string, FacetResult>>> execute = _terms.ExecuteLazily();
        return new(() => execute().GetAwaiter().GetResult());
    }

    public override string ToString() => _terms.ToIndexQuery().Query;
}
