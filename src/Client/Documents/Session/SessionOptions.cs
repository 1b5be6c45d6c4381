namespace Raven.Client.Documents.Session;

/// <summary>How a session behaves.</summary>
public sealed class SessionOptions
{
    /// <summary>The database; null takes that of the store.</summary>
    public string? Database { get; init; }

    /// <summary>Whether loaded entities are not kept: each load gives a new object, and nothing of it is
    /// saved.</summary>
    public bool NoTracking { get; init; }

    /// <summary>Whether every read asks the server for the whole answer.</summary>
    public bool NoCaching { get; init; }

    /// <summary>How far a save is one.</summary>
    public TransactionMode TransactionMode { get; init; }

    /// <summary>Who sends the requests; null takes the store's.</summary>
    public Http.RequestExecutor? RequestExecutor { get; init; }
}
