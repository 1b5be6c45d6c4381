namespace Raven.Client.Exceptions;

/// <summary>The request was malformed, or asked for something impossible.</summary>
public class BadRequestException(string message) : RavenException(message);
