namespace Raven.Documents.Indexing.Definitions;

/// <summary>Whether an index runs. Clients read these names.</summary>
public enum IndexState
{
    /// <summary>The index follows the documents.</summary>
    Normal,

    /// <summary>
    /// The index is stopped until it is enabled, also after a restart; queries are answered from what it has.
    /// </summary>
    Disabled,

    /// <summary>The index was not queried for a while; it follows the documents nevertheless.</summary>
    Idle,

    /// <summary>Too many documents failed, or the index is damaged: it is stopped until it is reset.</summary>
    Error,
}
