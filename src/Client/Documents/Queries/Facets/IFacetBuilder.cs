using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Sets what a facet counts.</summary>
public interface IFacetBuilder<T>
{
    /// <summary>Counts the values of a field.</summary>
    IFacetOperations<T> ByField(string fieldName);

    /// <summary>Counts the values of a field.</summary>
    IFacetOperations<T> ByField(Expression<Func<T, object?>> path);

    /// <summary>Counts ranges of a field: <c>ByRanges(x => x.Price &lt; 10, x => x.Price >= 10)</c>.</summary>
    IFacetOperations<T> ByRanges(Expression<Func<T, bool>> range, params Expression<Func<T, bool>>[] ranges);

    /// <summary>Counts all results as one value.</summary>
    IFacetOperations<T> AllResults();
}
