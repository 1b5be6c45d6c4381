namespace Raven.Client.Exceptions;

/// <summary>A session was given a second object for an id that it already tracks.</summary>
public sealed class NonUniqueObjectException(string message) : RavenException(message);
