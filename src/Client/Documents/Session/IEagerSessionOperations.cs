namespace Raven.Client.Documents.Session;

/// <summary>Sends what was made lazy.</summary>
public interface IEagerSessionOperations
{
    /// <summary>Sends all that waits in one request, and reads the answers.</summary>
    void ExecuteAllPendingLazyOperations();
}
