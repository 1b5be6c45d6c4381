namespace Raven.Server.Documents;

/// <summary>What came of the wish for a new database.</summary>
public enum CreateDatabaseStatus
{
    /// <summary>It is there now.</summary>
    Created,

    /// <summary>A database of that name is there already.</summary>
    Exists,

    /// <summary>No database can have that name.</summary>
    BadName,
}
