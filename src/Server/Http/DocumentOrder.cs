namespace Raven.Server.Http;

/// <summary>In which order a <see cref="DocumentStream"/> gives documents.</summary>
internal enum DocumentOrder
{
    /// <summary>As they were changed, the oldest change first.</summary>
    ByChange,

    /// <summary>As they were changed, the last change first.</summary>
    ByLastChange,

    /// <summary>By their folded ids, within a prefix.</summary>
    ById,
}
