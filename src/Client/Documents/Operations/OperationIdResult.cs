namespace Raven.Client.Documents.Operations;

/// <summary>An operation that has begun.</summary>
/// <param name="OperationId">Its number.</param>
public sealed record OperationIdResult(long OperationId);
