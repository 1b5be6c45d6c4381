using System.Text.Json;

namespace Raven.Client.Exceptions;

/// <summary>
/// No answer came within the request timeout or that of a gateway, a wait on the server timed out, or the server says
/// that a write was perhaps done: its group lost the primary before that was known. A save whose wait for indexes timed
/// out is written: the session has taken it over, and does not save it again.
/// </summary>
public sealed class RavenTimeoutException(string message, Exception? innerException = null)
    : OutcomeUnknownException(message, innerException)
{
    /// <summary>
    /// The results of the commands of a batch that was written although its wait timed out; null if they are not known.
    /// </summary>
    internal JsonElement? BatchResults { get; set; }
}
