namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>How the similarity of two words is measured.</summary>
public enum StringDistanceTypes
{
    /// <summary>As <see cref="Default"/>.</summary>
    None,

    /// <summary>As <see cref="Levenshtein"/>.</summary>
    Default,

    /// <summary>By the letters to change, add or leave out.</summary>
    Levenshtein,

    /// <summary>By the letters that both have, weighted to their beginnings.</summary>
    JaroWinkler,

    /// <summary>By the pairs of letters that both have.</summary>
    NGram,
}
