using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Session;

/// <summary>The names of time series.</summary>
internal static class SeriesNames
{
    /// <summary>The beginning of the names of incremental series.</summary>
    internal const string IncrementalPrefix = "INC:";

    /// <summary>The name of a series whose values are of a type: its plural, as for a collection.</summary>
    internal static string Of<TValues>(DocumentConventions conventions) =>
        conventions.GetCollectionName(typeof(TValues));

    /// <summary>The name of a series that is not incremental.</summary>
    /// <exception cref="ArgumentException">It is.</exception>
    internal static string CheckPlain(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return !IsIncremental(name) ? name : throw new ArgumentException(
            $"'{name}' is an incremental time series: IncrementalTimeSeriesFor adds to its values.", nameof(name));
    }

    /// <summary>The name of an incremental series.</summary>
    /// <exception cref="ArgumentException">It is none.</exception>
    internal static string CheckIncremental(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return IsIncremental(name) ? name : throw new ArgumentException(
            $"'{name}' is no incremental time series: their names begin with {IncrementalPrefix}", nameof(name));
    }

    /// <summary>The name of the series that a policy makes of another.</summary>
    internal static string Rollup(string raw, string policy)
    {
        ArgumentException.ThrowIfNullOrEmpty(raw);
        ArgumentException.ThrowIfNullOrEmpty(policy);
        return $"{raw}@{policy}";
    }

    private static bool IsIncremental(string name) =>
        name.StartsWith(IncrementalPrefix, StringComparison.OrdinalIgnoreCase);
}
