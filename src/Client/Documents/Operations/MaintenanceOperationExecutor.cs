namespace Raven.Client.Documents.Operations;

/// <summary>Sends operations on a database.</summary>
public sealed class MaintenanceOperationExecutor
{
    private readonly DocumentStore _store;
    private readonly string? _database;

    internal MaintenanceOperationExecutor(DocumentStore store, string? database)
    {
        _store = store;
        _database = database;
    }

    internal DocumentStore Store => _store;

    /// <summary>The executor of another database.</summary>
    public MaintenanceOperationExecutor ForDatabase(string database) => new(_store, database);

    /// <summary>Sends an operation and reads its answer.</summary>
    public Task<TResult?> SendAsync<TResult>(
        IMaintenanceOperation<TResult> operation, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return _store.GetRequestExecutor(_database)
            .ExecuteAsync(operation.GetCommand(_store.Conventions), cancellationToken);
    }

    /// <summary>Sends an operation and blocks until it is answered.</summary>
    public TResult? Send<TResult>(IMaintenanceOperation<TResult> operation) =>
        SendAsync(operation).GetAwaiter().GetResult();
}
