using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Selects the field and the words of a suggestion.</summary>
public interface ISuggestionBuilder<T>
{
    /// <summary>Suggests words of a field that are similar to one of these.</summary>
    ISuggestionOperations<T> ByField(string fieldName, params string[] terms);

    /// <summary>Suggests words of a field that are similar to one of these.</summary>
    ISuggestionOperations<T> ByField(Expression<Func<T, object?>> path, params string[] terms);
}
