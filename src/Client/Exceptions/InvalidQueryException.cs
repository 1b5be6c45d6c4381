namespace Raven.Client.Exceptions;

/// <summary>The server does not understand a query; the message says where.</summary>
public sealed class InvalidQueryException(string message) : BadRequestException(message);
