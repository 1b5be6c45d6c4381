namespace Raven.Documents.Catalog;

/// <summary>The result of creating a database.</summary>
public enum CreateDatabaseStatus
{
    /// <summary>The database was created.</summary>
    Created,

    /// <summary>A database of that name is there already.</summary>
    Exists,

    /// <summary>The name is not valid for a database.</summary>
    BadName,
}
