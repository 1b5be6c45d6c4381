namespace Raven.Client.Documents.Changes;

/// <summary>A change of an index.</summary>
/// <param name="Type">What happened, as the server names it: IndexAdded, BatchCompleted, ...</param>
/// <param name="Name">The index.</param>
public sealed record IndexChange(string Type, string Name);
