using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The outcome of a patch.</summary>
/// <param name="Status">What the patch did.</param>
/// <param name="ModifiedDocument">The document after the patch; null if it was not changed.</param>
/// <param name="ChangeVector">The change vector of the document.</param>
public sealed record PatchResult(PatchStatus Status, JsonElement? ModifiedDocument, string? ChangeVector);

/// <summary>What a patch did.</summary>
public enum PatchStatus
{
    /// <summary>There is no such document.</summary>
    DocumentDoesNotExist,

    /// <summary>The patch created the document.</summary>
    Created,

    /// <summary>The patch changed the document.</summary>
    Patched,

    /// <summary>The document has another change vector than the expected one, and was skipped as requested.</summary>
    Skipped,

    /// <summary>The script left the document unchanged.</summary>
    NotModified,
}
