namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>How is measured how alike two words are.</summary>
public enum StringDistanceTypes
{
    /// <summary>As <see cref="Default"/>.</summary>
    None,

    /// <summary>As <see cref="Levenshtein"/>.</summary>
    Default,

    /// <summary>By the letters to change, add or leave out.</summary>
    Levenshtein,

    /// <summary>By the letters that both have, those of their beginnings above all.</summary>
    JaroWinkler,

    /// <summary>By the pairs of letters that both have.</summary>
    NGram,
}
