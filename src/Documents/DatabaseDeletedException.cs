namespace Raven.Documents;

/// <summary>The database was deleted while it was in use. In an HTTP answer, the database is missing.</summary>
public sealed class DatabaseDeletedException : Exception
{
    /// <summary>Makes the error for the database of this name.</summary>
    public DatabaseDeletedException(string name)
        : base($"Database '{name}' was deleted.") =>
        DatabaseName = name;

    /// <summary>The name of the database.</summary>
    public string DatabaseName { get; }
}
