namespace Raven.Documents.Changes;

/// <summary>What happened to a document.</summary>
public enum DocumentChangeType
{
    /// <summary>It was created or replaced.</summary>
    Put,

    /// <summary>It was deleted.</summary>
    Delete,
}
