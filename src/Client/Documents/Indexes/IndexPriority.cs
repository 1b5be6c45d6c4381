namespace Raven.Client.Documents.Indexes;

/// <summary>The order in which indexes run.</summary>
public enum IndexPriority
{
    /// <summary>After the others.</summary>
    Low,

    /// <summary>Like the others.</summary>
    Normal,

    /// <summary>Before the others.</summary>
    High,
}
