namespace Raven.Client.Documents.Operations;

/// <summary>What a patch did.</summary>
public enum PatchStatus
{
    /// <summary>There is no such document.</summary>
    DocumentDoesNotExist,

    /// <summary>It made the document.</summary>
    Created,

    /// <summary>It changed the document.</summary>
    Patched,

    /// <summary>The document has another version than the expected one, and was skipped as requested.</summary>
    Skipped,

    /// <summary>The script left the document unchanged.</summary>
    NotModified,
}
