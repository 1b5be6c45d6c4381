namespace Raven.Client.Exceptions;

/// <summary>
/// A session made more requests than one unit of work should need, most often one for each element of a loop. The
/// message counts what was asked and names the call that asks for all of it at once.
/// </summary>
public sealed class SessionRequestLimitException(string message) : InvalidOperationException(message);
