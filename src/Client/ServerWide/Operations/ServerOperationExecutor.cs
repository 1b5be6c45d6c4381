using Raven.Client.Documents;
using Raven.Client.Documents.Operations;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Sends operations on the server.</summary>
public sealed class ServerOperationExecutor
{
    private readonly DocumentStore _store;

    internal ServerOperationExecutor(DocumentStore store) => _store = store;

    /// <summary>Sends an operation and reads its answer.</summary>
    public Task<TResult?> SendAsync<TResult>(
        IServerOperation<TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return _store.ServerExecutor().ExecuteAsync(operation.GetCommand(_store.Conventions), cancellationToken);
    }

    /// <summary>Begins an operation that takes longer than a request.</summary>
    /// <returns>The operation, which can be waited for.</returns>
    public async Task<Operation> SendAsync(
        IServerOperation<OperationIdResult> operation, CancellationToken cancellationToken = default)
    {
        OperationIdResult? begun =
            await SendAsync<OperationIdResult>(operation, cancellationToken).ConfigureAwait(false);
        return new Operation(_store.ServerExecutor(), begun!.OperationId);
    }

    /// <summary>Sends an operation and blocks until it is answered.</summary>
    public TResult? Send<TResult>(IServerOperation<TResult> operation) =>
        SendAsync(operation).GetAwaiter().GetResult();
}
