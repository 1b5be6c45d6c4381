using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The state of an operation.</summary>
/// <param name="Status">Whether it runs.</param>
/// <param name="Progress">Its progress; the content depends on the operation.</param>
/// <param name="Result">Its result, or its error.</param>
public sealed record OperationState(OperationStatus Status, JsonElement? Progress, JsonElement? Result);
