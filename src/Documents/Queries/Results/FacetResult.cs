namespace Raven.Documents.Queries.Results;

/// <summary>What a facet of a query has counted.</summary>
/// <param name="Name">Its name in the query.</param>
/// <param name="Values">The values of the page, or the ranges; a value for each field that is aggregated.</param>
/// <param name="RemainingTerms">The names of the values after the page, if the query asks for them.</param>
/// <param name="RemainingTermsCount">How many values there are after the page.</param>
/// <param name="RemainingHits">How many results those have.</param>
public sealed record FacetResult(
    string Name, IReadOnlyList<FacetCount> Values, IReadOnlyList<string> RemainingTerms, int RemainingTermsCount,
    long RemainingHits);
