using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>How far an operation is.</summary>
/// <param name="Status">Whether it runs.</param>
/// <param name="Progress">How far it is; what it holds depends on the operation.</param>
/// <param name="Result">What came of it, or what went wrong.</param>
public sealed record OperationState(OperationStatus Status, JsonElement? Progress, JsonElement? Result);
