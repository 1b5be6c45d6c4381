namespace Raven.Search.Searchers;

/// <summary>A field whose values are counted.</summary>
/// <param name="Field">The field; empty to count all matching entries as one value.</param>
/// <param name="AggregatedField">
/// A field with numbers whose sum, least and greatest are computed for each value; empty for none. Of several numbers
/// of an entry each different one counts.
/// </param>
public sealed record FacetField(string Field, string AggregatedField);
