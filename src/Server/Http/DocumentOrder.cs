namespace Raven.Server.Http;

/// <summary>The order in which a <see cref="DocumentStream"/> writes documents.</summary>
internal enum DocumentOrder
{
    /// <summary>By their changes, the oldest change first.</summary>
    ByChange,

    /// <summary>By their changes, the last change first.</summary>
    ByLastChange,

    /// <summary>By their folded ids, within a prefix.</summary>
    ById,
}
