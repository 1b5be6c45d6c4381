namespace Raven.Client.Documents.Indexes;

/// <summary>What an index makes of archived documents.</summary>
public enum ArchivedDataProcessingBehavior
{
    /// <summary>It passes over them.</summary>
    ExcludeArchived,

    /// <summary>It indexes them as all others.</summary>
    IncludeArchived,

    /// <summary>It indexes no others. A server that archives no documents refuses it.</summary>
    ArchivedOnly,
}
