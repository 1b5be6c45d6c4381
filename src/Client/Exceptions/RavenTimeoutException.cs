using System.Text.Json;

namespace Raven.Client.Exceptions;

/// <summary>
/// No answer came within the request timeout, or the server gave up waiting for something. Whether a write was done
/// is not known then; a write is never sent a second time on its own account. A save whose wait for indexes was in vain
/// is written: the session has taken it over, and saves it no second time.
/// </summary>
public sealed class RavenTimeoutException(string message, Exception? innerException = null)
    : RavenException(message, innerException)
{
    /// <summary>What came of the commands of a batch that was written, although its wait was in vain; null where
    /// nothing is known of that.</summary>
    internal JsonElement? BatchResults { get; set; }
}
