namespace Raven.Client.Http;

/// <summary>A request that one server did not answer, or refused.</summary>
/// <param name="database">The database; null for the server itself.</param>
/// <param name="url">What was asked.</param>
/// <param name="exception">What went wrong.</param>
public sealed class FailedRequestEventArgs(string? database, string url, Exception exception) : EventArgs
{
    /// <summary>The database; null for the server itself.</summary>
    public string? Database => database;

    /// <summary>What was asked.</summary>
    public string Url => url;

    /// <summary>What went wrong.</summary>
    public Exception Exception => exception;
}
