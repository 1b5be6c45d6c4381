namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>See <see cref="ISuggestionQuery{T}"/>.</summary>
internal sealed class SuggestionQuery<T>(QueryRunner runner, PreparedQuery query) : ISuggestionQuery<T>
{
    private readonly TermsQuery<SuggestionResult> _terms = new(runner, query, suggestion => suggestion.Name);

    public ISuggestionQuery<T> AndSuggestUsing(Action<ISuggestionBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var suggestion = new SuggestionBuilder<T>(_terms.Fields);
        builder(suggestion);
        _terms.Add(suggestion.ToItem());
        return this;
    }

    public Task<Dictionary<string, SuggestionResult>> ExecuteAsync(CancellationToken cancellationToken = default) =>
        _terms.ExecuteAsync(cancellationToken);

    public Dictionary<string, SuggestionResult> Execute() => ExecuteAsync().GetAwaiter().GetResult();

    public Lazy<Task<Dictionary<string, SuggestionResult>>> ExecuteLazyAsync() => new(_terms.ExecuteLazily());

    public Lazy<Dictionary<string, SuggestionResult>> ExecuteLazy()
    {
        Func<Task<Dictionary<string, SuggestionResult>>> execute = _terms.ExecuteLazily();
        return new(() => execute().GetAwaiter().GetResult());
    }

    public override string ToString() => _terms.ToIndexQuery().Query;
}
