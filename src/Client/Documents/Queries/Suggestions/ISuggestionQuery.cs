namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Words that misspelled ones may have meant; see <see cref="Linq.LinqExtensions.SuggestUsing{T}"/>.</summary>
public interface ISuggestionQuery<T>
{
    /// <summary>Adds suggestions of another field.</summary>
    ISuggestionQuery<T> AndSuggestUsing(Action<ISuggestionBuilder<T>> builder);

    /// <summary>The suggestions by name.</summary>
    Task<Dictionary<string, SuggestionResult>> ExecuteAsync(CancellationToken cancellationToken = default);

    /// <summary>The suggestions by name, blocking.</summary>
    Dictionary<string, SuggestionResult> Execute();

    /// <summary>The suggestions, sent with all other lazy requests of the session.</summary>
    Lazy<Task<Dictionary<string, SuggestionResult>>> ExecuteLazyAsync();

    /// <summary>The suggestions, sent with all other lazy requests of the session; blocking.</summary>
    Lazy<Dictionary<string, SuggestionResult>> ExecuteLazy();

    /// <summary>The query as text, RQL.</summary>
    string ToString();
}
