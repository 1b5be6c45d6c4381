using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The outcome of a patch.</summary>
/// <param name="Status">What it did.</param>
/// <param name="ModifiedDocument">The document after it; null if it was not changed.</param>
/// <param name="ChangeVector">Its version.</param>
public sealed record PatchResult(PatchStatus Status, JsonElement? ModifiedDocument, string? ChangeVector);
