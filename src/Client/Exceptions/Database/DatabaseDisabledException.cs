namespace Raven.Client.Exceptions.Database;

/// <summary>The database was disabled by an operator.</summary>
public sealed class DatabaseDisabledException(string message) : RavenException(message);
