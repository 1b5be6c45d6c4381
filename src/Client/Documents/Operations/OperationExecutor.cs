namespace Raven.Client.Documents.Operations;

/// <summary>Sends operations on documents.</summary>
public sealed class OperationExecutor
{
    private readonly DocumentStore _store;
    private readonly string? _database;

    internal OperationExecutor(DocumentStore store, string? database)
    {
        _store = store;
        _database = database;
    }

    /// <summary>The executor of another database.</summary>
    public OperationExecutor ForDatabase(string database) => new(_store, database);

    /// <summary>Sends an operation and reads its answer.</summary>
    public Task<TResult?> SendAsync<TResult>(
        IOperation<TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return _store.GetRequestExecutor(_database)
            .ExecuteAsync(operation.GetCommand(_store.Conventions), cancellationToken);
    }

    /// <summary>Begins an operation that takes longer than a request.</summary>
    /// <returns>The operation, which can be waited for.</returns>
    public async Task<Operation> SendAsync(
        IOperation<OperationIdResult> operation, CancellationToken cancellationToken = default)
    {
        OperationIdResult? begun =
            await SendAsync<OperationIdResult>(operation, cancellationToken).ConfigureAwait(false);
        return new Operation(_store.GetRequestExecutor(_database), begun!.OperationId);
    }

    /// <summary>Sends an operation and blocks until it is answered.</summary>
    public TResult? Send<TResult>(IOperation<TResult> operation) => SendAsync(operation).GetAwaiter().GetResult();

    /// <summary>Begins an operation that takes longer than a request, and blocks until it has begun.</summary>
    public Operation Send(IOperation<OperationIdResult> operation) => SendAsync(operation).GetAwaiter().GetResult();
}
