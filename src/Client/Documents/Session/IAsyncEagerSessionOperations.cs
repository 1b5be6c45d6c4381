namespace Raven.Client.Documents.Session;

/// <summary>Sends what was made lazy.</summary>
public interface IAsyncEagerSessionOperations
{
    /// <summary>Sends all that waits in one request, and reads the answers.</summary>
    Task ExecuteAllPendingLazyOperationsAsync(CancellationToken cancellationToken = default);
}
