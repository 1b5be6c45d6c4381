namespace Raven.Client.Http;

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
