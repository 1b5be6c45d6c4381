using Raven.Client.Documents.Operations;

namespace Raven.Client.Documents.Changes;

/// <summary>A change of a running operation.</summary>
/// <param name="OperationId">Its number.</param>
/// <param name="State">How far it is.</param>
public sealed record OperationStatusChange(long OperationId, OperationState State);
