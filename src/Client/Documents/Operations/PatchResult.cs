using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>What came of a patch.</summary>
/// <param name="Status">What it did.</param>
/// <param name="ModifiedDocument">The document after it; null where it was left alone.</param>
/// <param name="ChangeVector">Its version.</param>
public sealed record PatchResult(PatchStatus Status, JsonElement? ModifiedDocument, string? ChangeVector);
