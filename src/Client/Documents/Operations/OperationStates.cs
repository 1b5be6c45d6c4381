using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The state of an operation.</summary>
/// <param name="Status">Whether the operation runs, or how it ended.</param>
/// <param name="Progress">Its progress; the content depends on the operation.</param>
/// <param name="Result">Its result, or its error.</param>
public sealed record OperationState(OperationStatus Status, JsonElement? Progress, JsonElement? Result);

/// <summary>Whether an operation runs, and how it ended.</summary>
public enum OperationStatus
{
    /// <summary>The operation runs.</summary>
    InProgress,

    /// <summary>The operation has ended without an error.</summary>
    Completed,

    /// <summary>The operation failed.</summary>
    Faulted,

    /// <summary>The operation was cancelled.</summary>
    Canceled,
}

/// <summary>An operation that has begun.</summary>
/// <param name="OperationId">The id of the operation.</param>
public sealed record OperationIdResult(long OperationId);
