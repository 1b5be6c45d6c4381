namespace Raven.Client.Documents.Session;

/// <summary>How a session behaves.</summary>
public sealed class SessionOptions
{
    /// <summary>The database; null takes that of the store.</summary>
    public string? Database { get; init; }

    /// <summary>
    /// Whether loaded entities are not kept: each load returns a new object, and its changes are not saved.
    /// </summary>
    public bool NoTracking { get; init; }

    /// <summary>Whether every read requests the whole answer from the server.</summary>
    public bool NoCaching { get; init; }

    /// <summary>Whether a save is a transaction of one server or of the cluster.</summary>
    public TransactionMode TransactionMode { get; init; }

    /// <summary>The executor that sends the requests; null takes the store's.</summary>
    public Http.RequestExecutor? RequestExecutor { get; init; }
}
