namespace Raven.Client.Exceptions;

/// <summary>
/// The connection broke after the request had begun to be sent, or its answer ended in the middle. It is then unknown
/// whether a write was done.
/// </summary>
public sealed class RequestFailedException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
