using Raven.Client.Documents.Operations;

namespace Raven.Client.Documents.Changes;

/// <summary>A change of a document.</summary>
/// <param name="Type">What happened.</param>
/// <param name="Id">The document.</param>
/// <param name="CollectionName">Its collection.</param>
/// <param name="ChangeVector">The new change vector of the document.</param>
public sealed record DocumentChange(
    DocumentChangeTypes Type, string Id, string? CollectionName, string? ChangeVector);

/// <summary>What happened to a document.</summary>
public enum DocumentChangeTypes
{
    /// <summary>A change that this client has no name for.</summary>
    None,

    /// <summary>The document was written.</summary>
    Put,

    /// <summary>The document was deleted.</summary>
    Delete,

    /// <summary>Two servers changed the document at the same time.</summary>
    Conflict,
}

/// <summary>A change of a counter.</summary>
/// <param name="Type">What happened, as the server names it: Put, Increment, Delete.</param>
/// <param name="Name">The counter.</param>
/// <param name="Value">Its new value.</param>
/// <param name="DocumentId">The document.</param>
/// <param name="ChangeVector">The new change vector of the document.</param>
public sealed record CounterChange(string Type, string Name, long Value, string DocumentId, string? ChangeVector);

/// <summary>A change of a time series.</summary>
/// <param name="Type">What happened, as the server names it: Put, Delete, Mixed.</param>
/// <param name="Name">The series.</param>
/// <param name="DocumentId">The document.</param>
/// <param name="CollectionName">Its collection.</param>
/// <param name="ChangeVector">The version of the change.</param>
/// <param name="From">The first time at which something may have changed.</param>
/// <param name="To">The last such time.</param>
public sealed record TimeSeriesChange(
    string Type, string Name, string DocumentId, string? CollectionName, string? ChangeVector, DateTime? From,
    DateTime? To);

/// <summary>A change of an index.</summary>
/// <param name="Type">What happened, as the server names it: IndexAdded, BatchCompleted, ...</param>
/// <param name="Name">The index.</param>
public sealed record IndexChange(string Type, string Name);

/// <summary>A change of a running operation.</summary>
/// <param name="OperationId">Its number.</param>
/// <param name="State">How far it is.</param>
public sealed record OperationStatusChange(long OperationId, OperationState State);
