namespace Raven.Client.Documents.Session;

/// <summary>The counters of one document. Values that the session knows need no request.</summary>
public interface IAsyncSessionDocumentCounters
{
    /// <summary>Adds to a counter with the next save; it begins at 0.</summary>
    void Increment(string counter, long delta = 1);

    /// <summary>Deletes a counter with the next save.</summary>
    void Delete(string counter);

    /// <summary>The value of a counter; null if there is no such counter.</summary>
    Task<long?> GetAsync(string counter, CancellationToken cancellationToken = default);

    /// <summary>The values of several counters; null for those that do not exist.</summary>
    Task<Dictionary<string, long?>> GetAsync(
        IEnumerable<string> counters, CancellationToken cancellationToken = default);

    /// <summary>All counters of the document.</summary>
    Task<Dictionary<string, long?>> GetAllAsync(CancellationToken cancellationToken = default);
}
