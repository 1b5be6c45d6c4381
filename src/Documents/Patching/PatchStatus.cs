namespace Raven.Documents.Patching;

/// <summary>How a patch ended; the names are those of the HTTP API.</summary>
public enum PatchStatus
{
    /// <summary>There is no document, and nothing to create one with.</summary>
    DocumentDoesNotExist,

    /// <summary>There was no document, and one was created.</summary>
    Created,

    /// <summary>The document was changed.</summary>
    Patched,

    /// <summary>The document has another version than was expected, and is unchanged.</summary>
    Skipped,

    /// <summary>The script changed nothing, so nothing was written.</summary>
    NotModified,
}
