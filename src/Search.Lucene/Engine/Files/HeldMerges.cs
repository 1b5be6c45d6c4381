using Lucene.Net.Index;
using OfLucene = Lucene.Net.Index.IndexWriter;

namespace Raven.Search.Lucene.Engine.Files;

/// <summary>Which merges a writer may begin now.</summary>
internal enum MergeKind
{
    /// <summary>None: batches are written.</summary>
    None,

    /// <summary>Those that take some ten milliseconds.</summary>
    Small,

    /// <summary>One of the others.</summary>
    Large,

    /// <summary>One of all segments.</summary>
    All,
}

/// <summary>
/// Chooses merges as Lucene does, but only when the index asks for them, and by their size: within a batch nothing is
/// merged, so a merge never takes a segment that is not committed.
/// </summary>
internal sealed class HeldMergePolicy : TieredMergePolicy
{
    private readonly long _smallBytesMax;

    internal HeldMergePolicy(long smallBytesMax)
    {
        _smallBytesMax = smallBytesMax;
        NoCFSRatio = 0;
        SegmentsPerTier = 8;
        MaxMergeAtOnce = 8;
        MaxMergeAtOnceExplicit = int.MaxValue;
        FloorSegmentMB = 0.05;
    }

    /// <summary>What may be chosen now.</summary>
    internal MergeKind Allowed { get; set; }

    /// <summary>Whether merges were chosen since the last one that was allowed.</summary>
    internal bool HasChosen { get; set; }

    /// <summary>Whether the last choice has left a merge out because it is large.</summary>
    internal bool HasLarge { get; private set; }

    /// <inheritdoc/>
    public override MergeSpecification? FindMerges(MergeTrigger mergeTrigger, SegmentInfos segmentInfos)
    {
        if (Allowed is not (MergeKind.Small or MergeKind.Large))
        {
            return null;
        }

        bool isLarge = Allowed == MergeKind.Large;
        HasLarge = false;
        MergeSpecification chosen = new();
        foreach (OneMerge merge in base.FindMerges(mergeTrigger, segmentInfos)?.Merges ?? [])
        {
            long bytes = 0;
            foreach (SegmentCommitInfo segment in merge.Segments)
            {
                bytes += segment.GetSizeInBytes();
            }

            bool isOneOfLarge = bytes > _smallBytesMax;
            HasLarge |= isOneOfLarge;
            if (isOneOfLarge == isLarge && !(isLarge && chosen.Merges.Count > 0))
            {
                chosen.Add(merge);
            }
        }

        HasChosen |= chosen.Merges.Count > 0;
        return chosen.Merges.Count > 0 ? chosen : null;
    }

    /// <inheritdoc/>
    public override MergeSpecification? FindForcedMerges(
        SegmentInfos segmentInfos, int maxSegmentCount, IDictionary<SegmentCommitInfo, bool> segmentsToMerge)
    {
        MergeSpecification? found = Allowed == MergeKind.All
            ? base.FindForcedMerges(segmentInfos, maxSegmentCount, segmentsToMerge)
            : null;
        HasChosen |= found is not null;
        return found;
    }
}

/// <summary>Runs merges on the thread that asks for them, if it is to do so.</summary>
internal sealed class HeldMergeScheduler(HeldMergePolicy policy) : MergeScheduler
{
    /// <inheritdoc/>
    public override void Merge(OfLucene writer, MergeTrigger trigger, bool newMergesFound)
    {
        while (policy.Allowed is MergeKind.Small or MergeKind.All && writer.GetNextMerge() is { } merge)
        {
            writer.Merge(merge);
        }
    }

    /// <inheritdoc/>
    public override object Clone() => this;

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
    }
}
