namespace Raven.Client.Documents.Session;

/// <summary>Sends the collected lazy requests.</summary>
public interface IAsyncEagerSessionOperations
{
    /// <summary>Sends all waiting requests as one, and reads the answers.</summary>
    Task ExecuteAllPendingLazyOperationsAsync(CancellationToken cancellationToken = default);
}
