namespace Raven.Client.Exceptions;

/// <summary>
/// The connection broke after the request had begun to be sent, or its answer ended in the middle. Whether a write was
/// done is not known then.
/// </summary>
public sealed class RequestFailedException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
