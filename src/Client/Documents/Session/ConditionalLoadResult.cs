namespace Raven.Client.Documents.Session;

/// <summary>The outcome of a load that asked whether a document has changed.</summary>
/// <param name="Entity">The entity; null if the document is unchanged or gone.</param>
/// <param name="ChangeVector">Its version; null if it is gone.</param>
public sealed record ConditionalLoadResult<T>(T? Entity, string? ChangeVector);
