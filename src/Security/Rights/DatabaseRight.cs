namespace Raven.Security.Rights;

/// <summary>What an identity may do with one database. Each right includes those before it.</summary>
public enum DatabaseRight : byte
{
    /// <summary>Nothing: the database looks as if it did not exist.</summary>
    None = 0,

    /// <summary>Read everything in it.</summary>
    Read = 1,

    /// <summary>Read and write its documents and what belongs to them.</summary>
    ReadWrite = 2,

    /// <summary>Change its indexes and its configuration, too.</summary>
    Admin = 3,
}
