namespace Raven.Server.Indexing.Definitions;

/// <summary>What an index does. The names are what clients read.</summary>
internal enum IndexState
{
    /// <summary>It follows the documents.</summary>
    Normal,

    /// <summary>It stands still until it is enabled, also after a restart; it answers with what it has.</summary>
    Disabled,

    /// <summary>It was not asked for a while; it follows the documents nevertheless.</summary>
    Idle,

    /// <summary>Too many documents failed, or it is damaged: it stands still until it is reset.</summary>
    Error,
}
