namespace Raven.Documents.Subscriptions;

/// <summary>One change in a feed.</summary>
/// <param name="Etag">The change.</param>
/// <param name="Id">The document.</param>
/// <param name="ChangeVector">Its version, or that of the deletion.</param>
/// <param name="Document">The number of the document in the page; -1 for a deletion.</param>
public readonly record struct FeedItem(long Etag, string Id, string ChangeVector, int Document);
