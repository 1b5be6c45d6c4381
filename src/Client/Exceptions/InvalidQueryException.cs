namespace Raven.Client.Exceptions;

/// <summary>The server cannot parse or run a query; the message names the place.</summary>
public sealed class InvalidQueryException(string message) : BadRequestException(message);
