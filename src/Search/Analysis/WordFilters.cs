namespace Raven.Search.Analysis;

/// <summary>Changes to a word before it becomes a term.</summary>
[Flags]
internal enum WordFilters
{
    None = 0,

    /// <summary>Each character is replaced by its simple lower-case mapping.</summary>
    LowerCase = 1,

    /// <summary>Common English words are dropped; they leave a gap in the positions.</summary>
    StopWords = 2,

    /// <summary>English words are reduced to their stems.</summary>
    EnglishStems = 4,

    /// <summary>English words of the letters a to z are reduced to their stems, others stay as they are.</summary>
    EnglishStemsOfAscii = 8,
}
