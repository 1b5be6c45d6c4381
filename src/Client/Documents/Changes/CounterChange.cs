namespace Raven.Client.Documents.Changes;

/// <summary>A change of a counter.</summary>
/// <param name="Type">What happened, as the server names it: Put, Increment, Delete.</param>
/// <param name="Name">The counter.</param>
/// <param name="Value">Its new value.</param>
/// <param name="DocumentId">The document.</param>
/// <param name="ChangeVector">The new version.</param>
public sealed record CounterChange(string Type, string Name, long Value, string DocumentId, string? ChangeVector);
