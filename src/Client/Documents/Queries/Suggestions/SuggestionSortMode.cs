namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>In which order suggestions come.</summary>
public enum SuggestionSortMode
{
    /// <summary>The most alike first.</summary>
    None,

    /// <summary>The most frequent first.</summary>
    Popularity,
}
