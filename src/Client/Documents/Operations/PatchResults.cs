using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The outcome of a patch.</summary>
/// <param name="Status">What it did.</param>
/// <param name="ModifiedDocument">The document after it; null if it was not changed.</param>
/// <param name="ChangeVector">Its version.</param>
public sealed record PatchResult(PatchStatus Status, JsonElement? ModifiedDocument, string? ChangeVector);

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
