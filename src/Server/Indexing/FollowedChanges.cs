using Raven.Server.Documents;
using Raven.Server.Indexing.Maps;

namespace Raven.Server.Indexing;

/// <summary>Which changes count for an index: those of the collections that its maps run over, and of what they read
/// besides.</summary>
/// <param name="maps">The maps.</param>
/// <param name="references">What they have read.</param>
/// <param name="mayReadValues">Whether they may read compare-exchange values.</param>
internal sealed class FollowedChanges(MapsByCollection maps, ReferenceTracker references, bool mayReadValues)
{
    /// <summary>The collections whose changes count: those of the maps, and those that maps have read; empty for
    /// all.</summary>
    internal IReadOnlyList<string> Collections => maps.Collections.Count == 0 || references.ReadsAll
        ? []
        : references.Collections.Count == 0 ? maps.Collections : [.. maps.Collections, .. references.Collections];

    /// <summary>What else counts: compare-exchange values where maps may read them, or have, and counters where they
    /// are mapped.</summary>
    internal IEnumerable<ChangeKind> Others => (ReadsValues, maps.ReadCounters) switch
    {
        (true, true) => [ChangeKind.Values, ChangeKind.Counters],
        (true, false) => [ChangeKind.Values],
        (false, true) => [ChangeKind.Counters],
        _ => [],
    };

    private bool ReadsValues => mayReadValues || references.ReadsValues;

    /// <summary>The last change of those others.</summary>
    internal long LastEtagOfOthers(DocumentSnapshot snapshot) => Math.Max(
        ReadsValues ? snapshot.LastCompareExchangeIndex : 0, maps.ReadCounters ? snapshot.LastCounterEtag : 0);
}
