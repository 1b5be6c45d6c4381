namespace Raven.Client.Documents.Session;

/// <summary>Loads that are sent together, when the value of the first of them is read.</summary>
public interface ILazySessionOperations
{
    /// <summary>Loads a document.</summary>
    Lazy<T?> Load<T>(string id);

    /// <summary>Loads several documents.</summary>
    Lazy<Dictionary<string, T?>> Load<T>(IEnumerable<string> ids);

    /// <summary>Loads documents whose ids begin with a prefix.</summary>
    Lazy<IReadOnlyList<T>> LoadStartingWith<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25);

    /// <summary>Loads a document if its change vector differs from a known one.</summary>
    Lazy<ConditionalLoadResult<T>> ConditionalLoad<T>(string id, string changeVector);
}
