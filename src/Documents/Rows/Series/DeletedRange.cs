namespace Raven.Documents.Rows.Series;

//   OFFSET  SIZE  FIELD
//        0     8  From     ms since 0001-01-01
//        8     8  To       the last ms that was deleted
//       16     .  Name     of the series, UTF-8, as it was first written

/// <summary>A range of time from which a series lost its points; both ends belong to it.</summary>
/// <param name="From">The first time, in ms since 0001-01-01.</param>
/// <param name="To">The last time.</param>
internal readonly record struct DeletedRange(long From, long To)
{
    internal const int NameOffset = 2 * sizeof(long);
}
