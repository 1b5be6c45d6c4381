namespace Raven.Documents.Subscriptions;

/// <summary>What the script of a subscription says of a document.</summary>
internal enum SubscriptionVerdict
{
    /// <summary>It is not sent.</summary>
    Skipped,

    /// <summary>It is sent as it is.</summary>
    Whole,

    /// <summary>What the script made is sent.</summary>
    Projected,

    /// <summary>The script threw, or passed a limit.</summary>
    Failed,
}
