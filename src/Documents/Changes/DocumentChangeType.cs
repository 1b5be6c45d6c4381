namespace Raven.Documents.Changes;

/// <summary>What happened to a document.</summary>
internal enum DocumentChangeType
{
    /// <summary>The document was created or replaced.</summary>
    Put,

    /// <summary>The document was deleted.</summary>
    Delete,
}
