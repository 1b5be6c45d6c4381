namespace Raven.Client.Exceptions;

/// <summary>
/// What the server refused or could not do. Every error answer becomes this or a type derived from it; the failures of
/// the way there (refused connections, timeouts) are types of their own below it.
/// </summary>
public class RavenException : Exception
{
    /// <summary>Makes one with a message and, where there is one, a cause.</summary>
    public RavenException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>The HTTP status of the answer; 0 where there was none.</summary>
    public int StatusCode { get; internal set; }

    /// <summary>The name of the failure as the server gave it, a full .NET type name; null where there was
    /// none.</summary>
    public string? ServerType { get; internal set; }

    /// <summary>The request that failed: its path and query.</summary>
    public string? RequestUrl { get; internal set; }

    /// <summary>What the server said beyond the message, such as its stack trace where it shows it.</summary>
    public string? ServerError { get; internal set; }
}
