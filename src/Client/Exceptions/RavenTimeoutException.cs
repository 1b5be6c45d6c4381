namespace Raven.Client.Exceptions;

/// <summary>
/// No answer came within the request timeout, or the server gave up waiting for something. Whether a write was done
/// is not known then; a write is never sent a second time on its own account.
/// </summary>
public sealed class RavenTimeoutException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
