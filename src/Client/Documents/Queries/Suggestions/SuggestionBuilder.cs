using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>See <see cref="ISuggestionBuilder{T}"/>. Makes an item of a projection.</summary>
internal sealed class SuggestionBuilder<T>(FieldTranslator fields) : ISuggestionBuilder<T>, ISuggestionOperations<T>
{
    private string? _field;
    private string? _terms;
    private string? _options;
    private string? _name;

    public ISuggestionOperations<T> ByField(string fieldName, params string[] terms)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return Begin(RqlBuilder.Field(fieldName), terms);
    }

    public ISuggestionOperations<T> ByField(Expression<Func<T, object?>> path, params string[] terms)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Begin(fields.PathOf(path.Body), terms);
    }

    public ISuggestionOperations<T> WithDisplayName(string displayName)
    {
        ArgumentException.ThrowIfNullOrEmpty(displayName);
        _name = displayName;
        return this;
    }

    public ISuggestionOperations<T> WithOptions(SuggestionOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = fields.Parameter(options);
        return this;
    }

    internal string ToItem()
    {
        if (_field is null)
        {
            throw new InvalidOperationException("Say by which field words are suggested: ByField.");
        }

        string options = _options is null ? "" : $", {_options}";
        string name = _name is null ? "" : $" as {RqlBuilder.Quoted(_name)}";
        return $"suggest({_field}, {_terms}{options}){name}";
    }

    private SuggestionBuilder<T> Begin(string field, string[] terms)
    {
        if (terms.Length == 0)
        {
            throw new ArgumentException("At least one word is needed.", nameof(terms));
        }

        _field = field;
        _terms = fields.Parameter(terms is [{ } only] ? only : terms);
        return this;
    }
}
