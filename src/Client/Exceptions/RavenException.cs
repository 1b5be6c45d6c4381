namespace Raven.Client.Exceptions;

/// <summary>
/// The server refused a request or failed. Every error answer becomes this or a type derived from it; connection
/// failures and timeouts are derived types too.
/// </summary>
public class RavenException : Exception
{
    /// <summary>Makes an exception with a message and an optional cause.</summary>
    public RavenException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>The HTTP status of the answer; 0 if there was none.</summary>
    public int StatusCode { get; internal set; }

    /// <summary>The name of the failure as the server gave it, a full .NET type name; null if there was none.</summary>
    public string? ServerType { get; internal set; }

    /// <summary>The request that failed: its path and query.</summary>
    public string? RequestUrl { get; internal set; }

    /// <summary>The server's text beyond the message, such as a stack trace if it sends one.</summary>
    public string? ServerError { get; internal set; }
}
