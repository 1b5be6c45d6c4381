using System.Numerics;

namespace Raven.Search.Segments;

/// <summary>
/// Which segments to merge. Segments are of the same tier if their live entries have the same power of eight; eight of
/// a tier are merged, so that an entry is rewritten once per tier.
/// </summary>
internal sealed class MergeChoice(long inlineBytesMax)
{
    private const int SegmentsPerMerge = 8;
    private const int SmallestTierEntriesMax = 64;
    private const int Tiers = 12;

    /// <summary>A blob is one run of pages, of at most 534 MB; larger segments are left as they are.</summary>
    private const long FieldBytesMax = 256L << 20;

    private readonly List<SegmentReader> _chosen = [];

    internal IReadOnlyList<SegmentReader> Segments => _chosen;

    /// <summary>Chooses what to merge.</summary>
    /// <param name="segments">The existing segments.</param>
    /// <param name="isLarge">Whether to choose large ones, or small ones.</param>
    /// <param name="reserved">Segments that another merge has.</param>
    /// <returns>False if there is nothing to merge.</returns>
    internal bool Choose(SegmentList segments, bool isLarge, IReadOnlySet<int> reserved)
    {
        for (int tier = 0; tier < Tiers; tier++)
        {
            _chosen.Clear();
            long bytes = 0;
            for (int i = 0; i < segments.Count && _chosen.Count < SegmentsPerMerge; i++)
            {
                SegmentReader segment = segments[i];
                if (TierOf(segment) == tier && bytes + segment.LargestFieldBytes <= FieldBytesMax
                    && !reserved.Contains(segment.Id))
                {
                    _chosen.Add(segment);
                    bytes += segment.LargestFieldBytes;
                }
            }

            if (_chosen.Count == SegmentsPerMerge && bytes > inlineBytesMax == isLarge)
            {
                return true;
            }
        }

        return ChooseSparse(segments, isLarge, reserved);
    }

    /// <summary>Chooses all segments that fit into one and that no other merge has.</summary>
    internal bool ChooseAll(SegmentList segments, IReadOnlySet<int> reserved)
    {
        _chosen.Clear();
        long bytes = 0;
        for (int i = 0; i < segments.Count; i++)
        {
            SegmentReader segment = segments[i];
            if (bytes + segment.LargestFieldBytes <= FieldBytesMax && !reserved.Contains(segment.Id))
            {
                _chosen.Add(segment);
                bytes += segment.LargestFieldBytes;
            }
        }

        return _chosen.Count > 1 || (_chosen.Count == 1 && _chosen[0].DeletedCount > 0);
    }

    private static int TierOf(SegmentReader segment) =>
        BitOperations.Log2((uint)Math.Max(segment.LiveCount / SmallestTierEntriesMax, 1)) / 3;

    /// <summary>A segment that is mostly deleted is rewritten alone.</summary>
    private bool ChooseSparse(SegmentList segments, bool isLarge, IReadOnlySet<int> reserved)
    {
        _chosen.Clear();
        for (int i = 0; i < segments.Count; i++)
        {
            SegmentReader segment = segments[i];
            if (segment.DeletedCount * 2L > segment.EntryCount && segment.LargestFieldBytes > inlineBytesMax == isLarge
                && !reserved.Contains(segment.Id))
            {
                _chosen.Add(segment);
                return true;
            }
        }

        return false;
    }
}
