namespace Raven.Documents.Indexing.Definitions;

/// <summary>The order of indexes if several have work. Clients read these names.</summary>
public enum IndexPriority
{
    /// <summary>After the others.</summary>
    Low,

    /// <summary>In the order in which they were queued.</summary>
    Normal,

    /// <summary>Before the others.</summary>
    High,
}
