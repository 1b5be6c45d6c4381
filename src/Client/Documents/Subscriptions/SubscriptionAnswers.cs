namespace Raven.Client.Documents.Subscriptions;

/// <summary>The body of a list of subscriptions.</summary>
internal sealed class SubscriptionStates
{
    public SubscriptionState[] Results { get; init => field = value ?? []; } = [];
}

/// <summary>The answer to a change of a subscription.</summary>
internal sealed class SubscriptionNameAnswer
{
    public string? Name { get; init; }
}

/// <summary>Where workers connect.</summary>
internal sealed class TcpAnswer
{
    public string? Url { get; init; }

    public string? Certificate { get; init; }
}
