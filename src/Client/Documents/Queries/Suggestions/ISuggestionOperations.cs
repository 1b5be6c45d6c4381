namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Says how words are suggested.</summary>
public interface ISuggestionOperations<T>
{
    /// <summary>Names the suggestions in the answer.</summary>
    ISuggestionOperations<T> WithDisplayName(string displayName);

    /// <summary>Says which words come, and in which order.</summary>
    ISuggestionOperations<T> WithOptions(SuggestionOptions options);
}
