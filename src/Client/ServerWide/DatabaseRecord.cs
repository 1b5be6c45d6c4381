namespace Raven.Client.ServerWide;

/// <summary>The settings of a database.</summary>
/// <param name="databaseName">Its name.</param>
public sealed class DatabaseRecord(string databaseName)
{
    /// <summary>Its name.</summary>
    public string DatabaseName { get; init; } = databaseName;

    /// <summary>Whether all access is refused.</summary>
    public bool Disabled { get; init; }

    /// <summary>Settings of its own, by the names of the server's.</summary>
    public Dictionary<string, string?> Settings { get; init => field = value ?? []; } = [];
}
