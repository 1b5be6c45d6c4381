namespace Raven.Documents.Ids;

/// <summary>Why a text is not a document id.</summary>
public enum DocumentIdProblem
{
    /// <summary>No problem: the id is valid.</summary>
    None,

    /// <summary>The id is empty.</summary>
    Empty,

    /// <summary>It has more than <see cref="DocumentId.SizeBytesMax"/> bytes of UTF-8.</summary>
    TooLong,

    /// <summary>Its folded form, the key, has more than <see cref="DocumentId.SizeBytesMax"/> bytes.</summary>
    TooLongAfterFolding,

    /// <summary>It holds U+0000, or U+001E or U+001F, which separate texts in keys.</summary>
    ControlCharacter,

    /// <summary>The id is not UTF-8.</summary>
    NotUtf8,
}
