namespace Raven.Search.Searchers;

/// <summary>A field whose values are counted.</summary>
/// <param name="Field">The field; empty to count all that matches as one value.</param>
/// <param name="AggregatedField">A field with numbers of which sum, least and greatest are wanted for each value; empty
/// for none. Of several numbers of an entry each different one counts.</param>
public sealed record FacetField(string Field, string AggregatedField);
