namespace Raven.Documents.Ids;

/// <summary>How a folding ended.</summary>
internal enum CaseFoldingStatus
{
    /// <summary>All of the text is folded.</summary>
    Done,

    /// <summary>A byte that a text in a key cannot have: 0, 0x1E or 0x1F.</summary>
    ControlCharacter,

    /// <summary>Bytes that are not UTF-8.</summary>
    NotUtf8,

    /// <summary>The folded text is longer than the target.</summary>
    TargetTooShort,
}
