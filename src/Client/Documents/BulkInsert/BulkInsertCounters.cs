namespace Raven.Client.Documents.BulkInsert;

/// <summary>Counters of one document in a bulk insert.</summary>
public sealed class BulkInsertCounters
{
    private readonly BulkInsertOperation _operation;
    private readonly string _id;

    internal BulkInsertCounters(BulkInsertOperation operation, string id)
    {
        _operation = operation;
        _id = id;
    }

    /// <summary>Adds to a counter, which begins at 0.</summary>
    public ValueTask IncrementAsync(string name, long delta = 1, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return _operation.WriteAsync((_id, name, delta), static (writer, it) =>
            writer.WriteCounter(it._id, it.name, it.delta), countsAs: 0, cancellationToken);
    }
}
