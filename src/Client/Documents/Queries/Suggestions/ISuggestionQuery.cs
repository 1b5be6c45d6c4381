namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>
/// Suggestions of words that are similar to given ones; see <see cref="Linq.LinqExtensions.SuggestUsing{T}"/>.
/// </summary>
public interface ISuggestionQuery<T>
{
    /// <summary>Adds suggestions of another field.</summary>
    ISuggestionQuery<T> AndSuggestUsing(Action<ISuggestionBuilder<T>> builder);

    /// <summary>Sends the query; returns the suggestions by name.</summary>
    Task<Dictionary<string, SuggestionResult>> ExecuteAsync(CancellationToken cancellationToken = default);

    /// <summary>Sends the query, blocking; returns the suggestions by name.</summary>
    Dictionary<string, SuggestionResult> Execute();

    /// <summary>The suggestions, sent with all other lazy requests of the session.</summary>
    Lazy<Task<Dictionary<string, SuggestionResult>>> ExecuteLazyAsync();

    /// <summary>The suggestions, sent with all other lazy requests of the session; blocking.</summary>
    Lazy<Dictionary<string, SuggestionResult>> ExecuteLazy();

    /// <summary>The text of the query, RQL.</summary>
    string ToString();
}
