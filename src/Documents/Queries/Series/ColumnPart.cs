using Raven.Documents.Rows.Series;

namespace Raven.Documents.Queries.Series;

/// <summary>What is known of some values of one column, one behind the other.</summary>
/// <param name="First">The earliest.</param>
/// <param name="Last">The latest.</param>
/// <param name="Min">The least.</param>
/// <param name="Max">The greatest.</param>
/// <param name="Sum">The sum.</param>
/// <param name="Count">How many there are; of roll-ups, how many they stand for.</param>
internal readonly record struct ColumnPart(
    double First, double Last, double Min, double Max, double Sum, double Count)
{
    /// <summary>The values of a column of a segment.</summary>
    internal static ColumnPart Of(in ColumnSummary column) =>
        new(column.First, column.Last, column.Min, column.Max, column.Sum, column.Count);

    /// <summary>What the entries of a segment of a roll-up stand for, in one of the raw columns: there are six columns
    /// for it.</summary>
    internal static ColumnPart OfRollup(ReadOnlySpan<ColumnSummary> parts) => new(
        parts[0].First, parts[1].Last, parts[2].Min, parts[3].Max, parts[4].Sum, parts[5].Sum);
}
