using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Selects the words to suggest.</summary>
public interface ISuggestionBuilder<T>
{
    /// <summary>Those of a field that are like one of these.</summary>
    ISuggestionOperations<T> ByField(string fieldName, params string[] terms);

    /// <summary>Those of a field that are like one of these.</summary>
    ISuggestionOperations<T> ByField(Expression<Func<T, object?>> path, params string[] terms);
}
