namespace Raven.Search.Queries;

/// <summary>One key to order by.</summary>
/// <param name="Kind">What it compares.</param>
/// <param name="Field">The field, where it compares values; of several values the least counts, descending the
/// greatest, and the greatest number where there is one.</param>
/// <param name="IsDescending">The greatest first; the best score comes first where this is true.</param>
/// <param name="NullsLast">Entries without a value, or with null, come last instead of first.</param>
/// <param name="Seed">The seed of a random order.</param>
public readonly record struct OrderKey(
    OrderKind Kind, string Field, bool IsDescending, bool NullsLast, int Seed)
{
    /// <summary>Of the point that distances are measured from, degrees.</summary>
    public double Latitude { get; init; }

    /// <summary>Of the point that distances are measured from, degrees.</summary>
    public double Longitude { get; init; }

    /// <summary>Compares the values of <see cref="OrderKind.Custom"/>.</summary>
    public FieldComparator? Comparator { get; init; }

    /// <summary>Distances that round to the same multiple of this are equal, kilometers; 0 to compare as they
    /// are.</summary>
    public double DistanceStep { get; init; }
}
