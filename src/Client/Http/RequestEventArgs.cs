namespace Raven.Client.Http;

/// <summary>A request that is about to be sent.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="request">The request, to which headers can be added.</param>
/// <param name="attempt">0 for the first server that is tried.</param>
public sealed class BeforeRequestEventArgs(string? database, HttpRequestMessage request, int attempt) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>The request, to which headers can be added.</summary>
    public HttpRequestMessage Request => request;

    /// <summary>0 for the first server that is tried.</summary>
    public int Attempt => attempt;
}

/// <summary>A request that was answered without an error.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="request">The request.</param>
/// <param name="response">The head of its answer.</param>
public sealed class SucceedRequestEventArgs(
    string? database, HttpRequestMessage request, HttpResponseMessage response) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>The request.</summary>
    public HttpRequestMessage Request => request;

    /// <summary>The head of its answer. The body is not yet read.</summary>
    public HttpResponseMessage Response => response;
}

/// <summary>A request that one server did not answer, or refused.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="url">The path and query of the request.</param>
/// <param name="exception">The error.</param>
public sealed class FailedRequestEventArgs(string? database, string url, Exception exception) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>The path and query of the request.</summary>
    public string Url => url;

    /// <summary>The error.</summary>
    public Exception Exception => exception;
}

/// <summary>The list of servers of a database was read again.</summary>
/// <param name="topology">The servers.</param>
public sealed class TopologyUpdatedEventArgs(Topology topology) : EventArgs
{
    /// <summary>The servers.</summary>
    public Topology Topology => topology;
}
