namespace Raven.Client.Documents.Session;

/// <summary>Sends the collected lazy requests.</summary>
public interface IEagerSessionOperations
{
    /// <summary>Sends all that waits in one request, and reads the answers.</summary>
    void ExecuteAllPendingLazyOperations();
}
