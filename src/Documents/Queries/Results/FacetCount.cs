namespace Raven.Documents.Queries.Results;

/// <summary>One value, or one range, that a facet has counted.</summary>
/// <param name="Range">The value or the range, as text.</param>
/// <param name="Count">How many results have it.</param>
/// <param name="Name">The name of the field that is aggregated; null if none is.</param>
/// <param name="Figures">The functions of that field that the query asks for, in their order in an answer.</param>
public sealed record FacetCount(
    string Range, long Count, string? Name, IReadOnlyList<KeyValuePair<string, double>> Figures);
