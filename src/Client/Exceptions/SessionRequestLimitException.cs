namespace Raven.Client.Exceptions;

/// <summary>
/// A session made more requests than one unit of work should need, most often one for each element of a loop. The
/// message counts the requests and names the call that does all of them at once.
/// </summary>
public sealed class SessionRequestLimitException(string message) : InvalidOperationException(message);
