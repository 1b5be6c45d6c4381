namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>What a caller may do with one database.</summary>
public enum DatabaseAccess
{
    /// <summary>Read and write documents, and what belongs to them.</summary>
    ReadWrite,

    /// <summary>Change its indexes and its configuration, too.</summary>
    Admin,

    /// <summary>Read everything in it.</summary>
    Read,
}
