namespace Raven.Client.Documents.Indexes;

/// <summary>How the values of a field become terms.</summary>
public enum FieldIndexing
{
    /// <summary>One term for each value, without regard to case.</summary>
    Default,

    /// <summary>No terms: queries cannot use the field.</summary>
    No,

    /// <summary>A term for each word, for full-text searches.</summary>
    Search,

    /// <summary>One term for each value, with regard to case.</summary>
    Exact,

    /// <summary>As <see cref="Search"/>.</summary>
    Highlighting,
}

/// <summary>Whether an index stores the values of a field, so that queries get them without the document.</summary>
public enum FieldStorage
{
    /// <summary>The values are not stored.</summary>
    No,

    /// <summary>The values are stored.</summary>
    Yes,
}

/// <summary>
/// What is stored of the terms of a field. For fields of words the server stores all of it; the names
/// exist for compatibility.
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

    /// <summary>The terms and both kinds of positions.</summary>
    WithPositionsAndOffsets,
}
