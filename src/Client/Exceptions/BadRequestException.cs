namespace Raven.Client.Exceptions;

/// <summary>The request was malformed, or asked for what cannot be.</summary>
public class BadRequestException(string message) : RavenException(message);
