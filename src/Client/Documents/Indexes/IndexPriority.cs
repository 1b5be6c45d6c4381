namespace Raven.Client.Documents.Indexes;

/// <summary>Which indexes go first.</summary>
public enum IndexPriority
{
    /// <summary>Behind the others.</summary>
    Low,

    /// <summary>As the others.</summary>
    Normal,

    /// <summary>Before the others.</summary>
    High,
}
