using System.Text.Json;

namespace Raven.Client.Documents.Operations;

/// <summary>The state of an operation.</summary>
/// <param name="Status">Whether it runs.</param>
/// <param name="Progress">Its progress; the content depends on the operation.</param>
/// <param name="Result">Its result, or its error.</param>
public sealed record OperationState(OperationStatus Status, JsonElement? Progress, JsonElement? Result);

/// <summary>Whether an operation runs, and how it ended.</summary>
public enum OperationStatus
{
    /// <summary>It runs.</summary>
    InProgress,

    /// <summary>It is done.</summary>
    Completed,

    /// <summary>It failed.</summary>
    Faulted,

    /// <summary>It was cancelled.</summary>
    Canceled,
}

/// <summary>An operation that has begun.</summary>
/// <param name="OperationId">Its number.</param>
public sealed record OperationIdResult(long OperationId);
