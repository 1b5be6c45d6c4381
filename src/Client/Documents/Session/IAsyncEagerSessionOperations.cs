namespace Raven.Client.Documents.Session;

/// <summary>Sends the collected lazy requests.</summary>
public interface IAsyncEagerSessionOperations
{
    /// <summary>Sends all that waits in one request, and reads the answers.</summary>
    Task ExecuteAllPendingLazyOperationsAsync(CancellationToken cancellationToken = default);
}
