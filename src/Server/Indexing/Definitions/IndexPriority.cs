namespace Raven.Server.Indexing.Definitions;

/// <summary>Which index goes first where several have work. The names are what clients read.</summary>
internal enum IndexPriority
{
    /// <summary>After the others.</summary>
    Low,

    /// <summary>In turn.</summary>
    Normal,

    /// <summary>Before the others.</summary>
    High,
}
