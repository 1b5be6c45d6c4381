namespace Raven.Search.Queries;

/// <summary>One key to order by.</summary>
/// <param name="Kind">What it compares.</param>
/// <param name="Field">
/// The field, if it compares values; of several values the least counts, descending the greatest, and the greatest
/// number if there is one.
/// </param>
/// <param name="IsDescending">Descending order; for a score, the best first.</param>
/// <param name="NullsLast">Entries without a value, or with null, come last instead of first.</param>
/// <param name="Seed">The seed of a random order.</param>
public readonly record struct OrderKey(
    OrderKind Kind, string Field, bool IsDescending, bool NullsLast, int Seed)
{
    /// <summary>The latitude of the point that distances are measured from, degrees.</summary>
    public double Latitude { get; init; }

    /// <summary>The longitude of the point that distances are measured from, degrees.</summary>
    public double Longitude { get; init; }

    /// <summary>Compares the values of <see cref="OrderKind.Custom"/>.</summary>
    public FieldComparator? Comparator { get; init; }

    /// <summary>
    /// Distances that round to the same multiple of this are equal, kilometers; 0 to compare as they are.
    /// </summary>
    public double DistanceStep { get; init; }
}
