namespace Raven.Client.Exceptions.Database;

/// <summary>There is no database of this name.</summary>
public sealed class DatabaseDoesNotExistException(string message) : RavenException(message)
{
    /// <summary>The name; null where the server did not say.</summary>
    public string? DatabaseName { get; internal set; }
}
