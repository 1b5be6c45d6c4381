namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The shapes of queries that the engines are compared in.</summary>
internal enum AskedKind
{
    /// <summary>A document by its id.</summary>
    Id,

    /// <summary>A word of the text.</summary>
    Word,

    /// <summary>Two words, both of them.</summary>
    And,

    /// <summary>Two words, any of them.</summary>
    Or,

    /// <summary>A keyword.</summary>
    Keyword,

    /// <summary>Years from the first to the last.</summary>
    Years,

    /// <summary>A keyword, in some years.</summary>
    KeywordInYears,

    /// <summary>The first letters of a word.</summary>
    Prefix,

    /// <summary>A word with * in it.</summary>
    Wildcard,

    /// <summary>Two words, one behind the other.</summary>
    Phrase,

    /// <summary>A word in which some characters differ.</summary>
    Fuzzy,

    /// <summary>A word that a regular expression matches as a whole.</summary>
    Regex,

    /// <summary>The words that few changes make of a misspelled one.</summary>
    Suggestions,
}
