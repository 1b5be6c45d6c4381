namespace Raven.Client.Exceptions.Routing;

/// <summary>The server has no such endpoint.</summary>
public sealed class RouteNotFoundException(string message) : RavenException(message);
