namespace Raven.Client.Exceptions.Database;

/// <summary>There is no database of this name.</summary>
public sealed class DatabaseDoesNotExistException(string message) : RavenException(message)
{
    /// <summary>The name; null if the server did not send it.</summary>
    public string? DatabaseName { get; internal set; }
}
