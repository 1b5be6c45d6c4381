namespace Raven.Documents.Subscriptions;

/// <summary>What a worker does if its subscription has a worker already.</summary>
public enum SubscriptionStrategy
{
    /// <summary>It is refused.</summary>
    OpenIfFree,

    /// <summary>It ends the other one, unless that one has this strategy too.</summary>
    TakeOver,

    /// <summary>It waits until the other one is gone.</summary>
    WaitForFree,

    /// <summary>It shares the documents with the other ones, which must have this strategy too.</summary>
    Concurrent,
}
