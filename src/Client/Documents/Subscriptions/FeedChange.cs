namespace Raven.Client.Documents.Subscriptions;

/// <summary>A change in a feed.</summary>
/// <typeparam name="T">The type of the documents.</typeparam>
/// <param name="Token">From here another feed goes on behind this change.</param>
/// <param name="Id">The document.</param>
/// <param name="ChangeVector">Its version, or that of its deletion.</param>
/// <param name="Document">The document; null if it was deleted.</param>
public sealed record FeedChange<T>(string Token, string Id, string ChangeVector, T? Document) where T : class
{
    /// <summary>Whether the document was deleted.</summary>
    public bool IsDeleted => Document is null;
}
