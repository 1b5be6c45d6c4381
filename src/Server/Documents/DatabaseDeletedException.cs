namespace Raven.Server.Documents;

/// <summary>
/// The database was deleted while somebody still had a hold of it. At the edge: the database is missing.
/// </summary>
public sealed class DatabaseDeletedException : Exception
{
    /// <summary>Names the database.</summary>
    public DatabaseDeletedException(string name)
        : base($"Database '{name}' was deleted.") =>
        DatabaseName = name;

    /// <summary>The database.</summary>
    public string DatabaseName { get; }
}
