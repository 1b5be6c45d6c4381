namespace Raven.Client.Documents.Subscriptions;

/// <summary>A version of a document, and the one before it.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
/// <param name="Previous">The version before; null if it is the first one.</param>
/// <param name="Current">The version; null if the document was deleted.</param>
public sealed record Revision<T>(T? Previous, T? Current) where T : class;
