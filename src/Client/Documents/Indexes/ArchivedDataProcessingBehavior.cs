namespace Raven.Client.Documents.Indexes;

/// <summary>How an index treats archived documents.</summary>
public enum ArchivedDataProcessingBehavior
{
    /// <summary>The index skips archived documents.</summary>
    ExcludeArchived,

    /// <summary>The index has archived documents like all others.</summary>
    IncludeArchived,

    /// <summary>The index has archived documents only. A server that archives no documents refuses this.</summary>
    ArchivedOnly,
}
