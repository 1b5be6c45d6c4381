namespace Raven.Search.Searchers;

/// <summary>One value of a counted field.</summary>
/// <param name="Value">Null, a bool, long, Int128, double or string.</param>
/// <param name="Count">Entries that have it.</param>
/// <param name="NumberCount">Numbers of the aggregated field among those entries.</param>
/// <param name="Sum">Their sum.</param>
/// <param name="Min">The least; infinity without any.</param>
/// <param name="Max">The greatest; minus infinity without any.</param>
public sealed record FacetValue(
    object? Value, long Count, long NumberCount, double Sum, double Min, double Max)
{
    /// <summary>The mean of the numbers; not a number without any.</summary>
    public double Average => Sum / NumberCount;
}
