namespace Raven.Documents.Changes;

/// <summary>What happened to a document.</summary>
internal enum DocumentChangeType
{
    /// <summary>It was created or replaced.</summary>
    Put,

    /// <summary>It was deleted.</summary>
    Delete,
}
