namespace Raven.Documents.Indexing;

/// <summary>Counts of the batch under way. One thread at a time.</summary>
internal sealed class BatchCounts
{
    /// <summary>Documents that were mapped.</summary>
    internal int Mapped { get; set; }

    /// <summary>Documents that were deleted.</summary>
    internal int Deleted { get; set; }

    /// <summary>Entries that were made.</summary>
    internal int Entries { get; set; }

    /// <summary>Documents that were mapped because something that their maps read had changed.</summary>
    internal int References { get; set; }

    /// <summary>Of these, those that failed.</summary>
    internal int ReferenceErrors { get; set; }

    /// <summary>The most entries that maps made of one document.</summary>
    internal int OutputsMax { get; set; }

    /// <summary>Documents whose maps failed.</summary>
    internal int Failed { get; set; }

    /// <summary>How long the reduce took.</summary>
    internal TimeSpan ReduceTime { get; set; }

    /// <summary>How long the commit took.</summary>
    internal TimeSpan CommitTime { get; set; }

    /// <summary>Documents, mapped or deleted.</summary>
    internal int Documents => Mapped + Deleted;

    /// <summary>Sets all counts to 0 for the next batch.</summary>
    internal void Clear()
    {
        Mapped = 0;
        Deleted = 0;
        Entries = 0;
        References = 0;
        ReferenceErrors = 0;
        OutputsMax = 0;
        Failed = 0;
        ReduceTime = default;
        CommitTime = default;
    }
}
