namespace Raven.Client.Documents.Session;

/// <summary>The result of a load of a document only if it has changed.</summary>
/// <param name="Entity">The entity; null if the document is unchanged or does not exist.</param>
/// <param name="ChangeVector">The change vector of the document; null if it does not exist.</param>
public sealed record ConditionalLoadResult<T>(T? Entity, string? ChangeVector);
