namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Which words are suggested.</summary>
public sealed class SuggestionOptions
{
    /// <summary>How similar they are at least: 0 is anything, 1 the same word.</summary>
    public double Accuracy { get; init; } = 0.5;

    /// <summary>How that is measured.</summary>
    public StringDistanceTypes Distance { get; init; }

    /// <summary>The most to give.</summary>
    public int PageSize { get; init; } = 15;

    /// <summary>Their order.</summary>
    public SuggestionSortMode SortMode { get; init; }
}

/// <summary>The order of suggestions.</summary>
public enum SuggestionSortMode
{
    /// <summary>The most similar first.</summary>
    None,

    /// <summary>The most frequent first.</summary>
    Popularity,
}
