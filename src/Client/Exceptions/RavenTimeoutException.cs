using System.Text.Json;

namespace Raven.Client.Exceptions;

/// <summary>
/// No answer came within the request timeout, or a wait on the server timed out. It is then unknown whether a write was
/// done; the client never sends a write a second time. A save whose wait for indexes timed out is written: the session
/// has taken it over, and does not save it again.
/// </summary>
public sealed class RavenTimeoutException(string message, Exception? innerException = null)
    : RavenException(message, innerException)
{
    /// <summary>
    /// The results of the commands of a batch that was written although its wait timed out; null if they are not known.
    /// </summary>
    internal JsonElement? BatchResults { get; set; }
}
