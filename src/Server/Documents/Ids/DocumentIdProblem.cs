namespace Raven.Server.Documents.Ids;

/// <summary>Why a text is not a document id.</summary>
public enum DocumentIdProblem
{
    /// <summary>It is one.</summary>
    None,

    /// <summary>It has no byte.</summary>
    Empty,

    /// <summary>It has more than <see cref="DocumentId.SizeBytesMax"/> bytes of UTF-8.</summary>
    TooLong,

    /// <summary>Its folded form, the key, has more than <see cref="DocumentId.SizeBytesMax"/> bytes.</summary>
    TooLongAfterFolding,

    /// <summary>It holds a character below 0x20; composite keys use those as separators.</summary>
    ControlCharacter,

    /// <summary>It is not UTF-8.</summary>
    NotUtf8,
}
