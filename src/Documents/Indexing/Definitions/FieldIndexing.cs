namespace Raven.Documents.Indexing.Definitions;

/// <summary>How the texts of a field become terms. Clients read these names.</summary>
public enum FieldIndexing
{
    /// <summary>Not set: as <see cref="Default"/>.</summary>
    Unset,

    /// <summary>The whole value in lower case.</summary>
    Default,

    /// <summary>The whole value unchanged.</summary>
    Exact,

    /// <summary>Words, by the field's analyzer.</summary>
    Search,

    /// <summary>Words, with the positions that highlighting needs.</summary>
    Highlighting,

    /// <summary>Not at all: the field can only be stored.</summary>
    No,
}
