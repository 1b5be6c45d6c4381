namespace Raven.Documents.Settings;

/// <summary>The names of the values of a time series.</summary>
/// <param name="Collection">The collection of its documents.</param>
/// <param name="Series">The name of the series.</param>
/// <param name="Values">A name for each value, the first one's first.</param>
internal sealed record TimeSeriesNames(string Collection, string Series, IReadOnlyList<string> Values);
