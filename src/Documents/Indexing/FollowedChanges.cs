using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing;

/// <summary>The changes that an index follows: those of the collections that its maps run over, and of what its maps
/// read besides.</summary>
/// <param name="maps">The maps.</param>
/// <param name="references">What the maps have read.</param>
/// <param name="mayReadValues">Whether they may read compare-exchange values.</param>
internal sealed class FollowedChanges(MapsByCollection maps, ReferenceTracker references, bool mayReadValues)
{
    /// <summary>The collections whose changes count: those of the maps, and those that maps have read; empty
    /// for all.</summary>
    internal IReadOnlyList<string> Collections => maps.Collections.Count == 0 || references.ReadsAll
        ? []
        : references.Collections.Count == 0 ? maps.Collections : [.. maps.Collections, .. references.Collections];

    /// <summary>The other changes: compare-exchange values if maps may read them, or have, and counters or time series
    /// if they are mapped.</summary>
    internal IEnumerable<ChangeKind> Others =>
    [
        .. ReadsValues ? [ChangeKind.Values] : Array.Empty<ChangeKind>(),
        .. maps.ReadCounters ? [ChangeKind.Counters] : Array.Empty<ChangeKind>(),
        .. maps.ReadTimeSeries ? [ChangeKind.TimeSeries, ChangeKind.TimeSeriesDeletions] : Array.Empty<ChangeKind>(),
    ];

    private bool ReadsValues => mayReadValues || references.ReadsValues;

    /// <summary>The etag of the last of the other changes.</summary>
    internal long LastEtagOfOthers(DocumentSnapshot snapshot) => Math.Max(
        ReadsValues ? snapshot.LastCompareExchangeIndex : 0,
        maps.ReadCounters ? snapshot.LastCounterEtag : maps.ReadTimeSeries ? snapshot.LastTimeSeriesEtag : 0);
}
