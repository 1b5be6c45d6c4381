namespace Raven.Client.Exceptions.Database;

/// <summary>There is no database of this name.</summary>
public sealed class DatabaseDoesNotExistException(string message) : RavenException(message)
{
    /// <summary>The name; null if the server did not send it.</summary>
    public string? DatabaseName { get; internal set; }
}

/// <summary>The server does not have the database any more: other nodes of the cluster do. Nothing was done.</summary>
public sealed class DatabaseNotRelevantException(string message) : RavenException(message);

/// <summary>The database was disabled by an operator.</summary>
public sealed class DatabaseDisabledException(string message) : RavenException(message);

/// <summary>The database cannot be opened: its files are damaged, in use, or of another version.</summary>
public sealed class DatabaseLoadFailureException(string message) : RavenException(message);
