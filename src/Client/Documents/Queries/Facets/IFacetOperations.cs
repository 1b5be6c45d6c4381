using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Facets;

/// <summary>Sets what is computed for each value of a facet.</summary>
public interface IFacetOperations<T>
{
    /// <summary>Names the facet in the answer.</summary>
    IFacetOperations<T> WithDisplayName(string displayName);

    /// <summary>Sets which values are returned, and in which order.</summary>
    IFacetOperations<T> WithOptions(FacetOptions options);

    /// <summary>Computes the sum of a field.</summary>
    IFacetOperations<T> SumOn(Expression<Func<T, object?>> path);

    /// <summary>Finds the smallest value of a field.</summary>
    IFacetOperations<T> MinOn(Expression<Func<T, object?>> path);

    /// <summary>Finds the largest value of a field.</summary>
    IFacetOperations<T> MaxOn(Expression<Func<T, object?>> path);

    /// <summary>Computes the average of a field.</summary>
    IFacetOperations<T> AverageOn(Expression<Func<T, object?>> path);
}
