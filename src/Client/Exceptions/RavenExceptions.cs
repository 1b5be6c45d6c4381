namespace Raven.Client.Exceptions;

/// <summary>The request was malformed, or requires something impossible.</summary>
public class BadRequestException(string message) : RavenException(message);

/// <summary>The server cannot parse or run a query; the message names the place.</summary>
public sealed class InvalidQueryException(string message) : BadRequestException(message);

/// <summary>A session was given a second object for an id that it already tracks.</summary>
public sealed class NonUniqueObjectException(string message) : RavenException(message);

/// <summary>
/// A session made more requests than one unit of work should need, most often one for each element of a loop. The
/// message counts the requests and names the call that does all of them at once.
/// </summary>
public sealed class SessionRequestLimitException(string message) : InvalidOperationException(message);

/// <summary>The key of a compare-exchange value has more than 512 bytes.</summary>
public sealed class CompareExchangeKeyTooBigException(string message) : RavenException(message);

/// <summary>None of the urls could be reached. The message names the error of each of them.</summary>
public sealed class AllTopologyNodesDownException(string message, Exception? innerException = null)
    : RavenException(message, innerException);

/// <summary>
/// The connection broke after the request had begun to be sent, its answer ended in the middle, or was not that of the
/// server but of a gateway or another program. It is then unknown whether a write was done.
/// </summary>
public sealed class RequestFailedException(string message, Exception? innerException = null)
    : OutcomeUnknownException(message, innerException);
