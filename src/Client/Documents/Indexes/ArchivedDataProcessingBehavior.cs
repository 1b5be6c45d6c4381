namespace Raven.Client.Documents.Indexes;

/// <summary>How an index treats archived documents.</summary>
public enum ArchivedDataProcessingBehavior
{
    /// <summary>It skips them.</summary>
    ExcludeArchived,

    /// <summary>It indexes them like all others.</summary>
    IncludeArchived,

    /// <summary>It indexes only them. A server that archives no documents refuses it.</summary>
    ArchivedOnly,
}
