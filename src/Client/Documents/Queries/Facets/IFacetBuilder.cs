using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Sets what a facet counts.</summary>
public interface IFacetBuilder<T>
{
    /// <summary>The values of a field.</summary>
    IFacetOperations<T> ByField(string fieldName);

    /// <summary>The values of a field.</summary>
    IFacetOperations<T> ByField(Expression<Func<T, object?>> path);

    /// <summary>Ranges of a field: <c>ByRanges(x => x.Price &lt; 10, x => x.Price >= 10)</c>.</summary>
    IFacetOperations<T> ByRanges(Expression<Func<T, bool>> range, params Expression<Func<T, bool>>[] ranges);

    /// <summary>All results together.</summary>
    IFacetOperations<T> AllResults();
}
