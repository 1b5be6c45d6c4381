namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Which words are suggested.</summary>
public sealed class SuggestionOptions
{
    /// <summary>The least similarity to the given word: 0 is any word, 1 the same word.</summary>
    public double Accuracy { get; init; } = 0.5;

    /// <summary>How similarity is measured.</summary>
    public StringDistanceTypes Distance { get; init; }

    /// <summary>The most words to return.</summary>
    public int PageSize { get; init; } = 15;

    /// <summary>The order of the words.</summary>
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
