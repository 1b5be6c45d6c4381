namespace Raven.Client.ServerWide;

/// <summary>The settings of a database.</summary>
/// <param name="databaseName">The name of the database.</param>
public sealed class DatabaseRecord(string databaseName)
{
    /// <summary>The name of the database.</summary>
    public string DatabaseName { get; init; } = databaseName;

    /// <summary>Whether all access is refused.</summary>
    public bool Disabled { get; init; }

    /// <summary>Settings of this database alone, by the names of the server's options.</summary>
    public Dictionary<string, string?> Settings { get; init => field = value ?? []; } = [];
}
