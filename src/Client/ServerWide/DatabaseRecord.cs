namespace Raven.Client.ServerWide;

/// <summary>What a database is told to be.</summary>
/// <param name="databaseName">Its name.</param>
public sealed class DatabaseRecord(string databaseName)
{
    /// <summary>Its name.</summary>
    public string DatabaseName { get; init; } = databaseName;

    /// <summary>Whether it is closed to everybody.</summary>
    public bool Disabled { get; init; }

    /// <summary>Settings of its own, by the names of the server's.</summary>
    public Dictionary<string, string?> Settings { get; init => field = value ?? []; } = [];
}
