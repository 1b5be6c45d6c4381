namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Sets how words are suggested.</summary>
public interface ISuggestionOperations<T>
{
    /// <summary>Names the suggestions in the answer.</summary>
    ISuggestionOperations<T> WithDisplayName(string displayName);

    /// <summary>Sets which words are returned, and in which order.</summary>
    ISuggestionOperations<T> WithOptions(SuggestionOptions options);
}
