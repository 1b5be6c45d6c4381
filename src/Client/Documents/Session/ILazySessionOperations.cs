namespace Raven.Client.Documents.Session;

/// <summary>Loads that are sent together: with the first whose value is asked for go all that wait.</summary>
public interface ILazySessionOperations
{
    /// <summary>Loads a document.</summary>
    Lazy<T?> Load<T>(string id);

    /// <summary>Loads several documents.</summary>
    Lazy<Dictionary<string, T?>> Load<T>(IEnumerable<string> ids);

    /// <summary>Loads documents whose ids begin alike.</summary>
    Lazy<IReadOnlyList<T>> LoadStartingWith<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25);

    /// <summary>Loads a document where it has another version than the known one.</summary>
    Lazy<ConditionalLoadResult<T>> ConditionalLoad<T>(string id, string changeVector);
}
