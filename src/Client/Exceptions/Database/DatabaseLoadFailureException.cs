namespace Raven.Client.Exceptions.Database;

/// <summary>The database cannot be opened: its files are damaged, in use, or of another version.</summary>
public sealed class DatabaseLoadFailureException(string message) : RavenException(message);
