namespace Raven.Client.Documents.Session;

/// <summary>Loads that are sent together, when the value of the first of them is read.</summary>
public interface IAsyncLazySessionOperations
{
    /// <summary>Loads a document.</summary>
    Lazy<Task<T?>> LoadAsync<T>(string id);

    /// <summary>Loads several documents.</summary>
    Lazy<Task<Dictionary<string, T?>>> LoadAsync<T>(IEnumerable<string> ids);

    /// <summary>Loads documents whose ids begin with a prefix.</summary>
    Lazy<Task<IReadOnlyList<T>>> LoadStartingWithAsync<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25);

    /// <summary>Loads a document if its change vector differs from a known one.</summary>
    Lazy<Task<ConditionalLoadResult<T>>> ConditionalLoadAsync<T>(string id, string changeVector);
}
