namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>The order of suggestions.</summary>
public enum SuggestionSortMode
{
    /// <summary>The most similar first.</summary>
    None,

    /// <summary>The most frequent first.</summary>
    Popularity,
}
