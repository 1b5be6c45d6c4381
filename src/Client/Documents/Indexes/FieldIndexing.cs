namespace Raven.Client.Documents.Indexes;

/// <summary>How a field is cut into terms.</summary>
public enum FieldIndexing
{
    /// <summary>One term, without regard to case.</summary>
    Default,

    /// <summary>Not at all: queries cannot use it.</summary>
    No,

    /// <summary>Words, for searches.</summary>
    Search,

    /// <summary>One term as it is.</summary>
    Exact,

    /// <summary>As <see cref="Search"/>.</summary>
    Highlighting,
}
