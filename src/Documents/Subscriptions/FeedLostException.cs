namespace Raven.Documents.Subscriptions;

/// <summary>A client has changes that the database does not have any more: it has to begin again.</summary>
/// <param name="message">What is lost.</param>
/// <param name="oldest">The token from which on it can read.</param>
public sealed class FeedLostException(string message, string oldest) : Exception(message)
{
    /// <summary>The token from which on it can read.</summary>
    public string Oldest { get; } = oldest;
}
