namespace Raven.Search.Analysis;

/// <summary>The word-break classes of UAX #29 that matter for finding words.</summary>
internal enum WordClass : byte
{
    /// <summary>Ends a word and belongs to none.</summary>
    Other,
    Letter,
    Numeric,
    Katakana,

    /// <summary>A word of its own: ideographs and the scripts that need a dictionary.</summary>
    Ideograph,

    /// <summary>Joins letters if there is one on both sides.</summary>
    MidLetter,

    /// <summary>Joins digits if there is one on both sides.</summary>
    MidNumber,

    /// <summary>Joins letters, or digits, if there is one on both sides.</summary>
    MidBoth,

    /// <summary>Joins letters, digits and itself: the low line.</summary>
    ExtendNumLet,

    /// <summary>Belongs to the character before it.</summary>
    Extend,

    /// <summary>A letter that joins a single quote behind it.</summary>
    HebrewLetter,

    /// <summary>Joins letters, or digits, if there is one on both sides, and a Hebrew letter before it.</summary>
    SingleQuote,

    /// <summary>Joins Hebrew letters if there is one on both sides.</summary>
    DoubleQuote,
}
