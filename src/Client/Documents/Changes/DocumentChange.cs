namespace Raven.Client.Documents.Changes;

/// <summary>A change of a document.</summary>
/// <param name="Type">What happened.</param>
/// <param name="Id">The document.</param>
/// <param name="CollectionName">Its collection.</param>
/// <param name="ChangeVector">Its new version.</param>
public sealed record DocumentChange(
    DocumentChangeTypes Type, string Id, string? CollectionName, string? ChangeVector);
