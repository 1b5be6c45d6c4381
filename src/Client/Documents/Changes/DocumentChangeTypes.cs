namespace Raven.Client.Documents.Changes;

/// <summary>What happened to a document.</summary>
public enum DocumentChangeTypes
{
    /// <summary>A change that this client has no name for.</summary>
    None,

    /// <summary>It was written.</summary>
    Put,

    /// <summary>It was deleted.</summary>
    Delete,

    /// <summary>Two servers changed it.</summary>
    Conflict,
}
