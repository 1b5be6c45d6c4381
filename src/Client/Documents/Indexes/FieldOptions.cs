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

/// <summary>Whether an index keeps the values of a field, to give them back without the document.</summary>
public enum FieldStorage
{
    /// <summary>It does not.</summary>
    No,

    /// <summary>It does.</summary>
    Yes,
}

/// <summary>
/// What is kept of the terms of a field. The server keeps all of it for fields of words; the names are kept
/// for compatibility.
/// </summary>
public enum FieldTermVector
{
    /// <summary>Nothing.</summary>
    No,

    /// <summary>The terms.</summary>
    Yes,

    /// <summary>The terms and their positions, in words.</summary>
    WithPositions,

    /// <summary>The terms and their positions, in characters.</summary>
    WithOffsets,

    /// <summary>The terms and both.</summary>
    WithPositionsAndOffsets,
}
