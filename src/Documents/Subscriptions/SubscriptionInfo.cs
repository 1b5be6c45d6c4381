namespace Raven.Documents.Subscriptions;

/// <summary>A subscription, how far it is, and who works on it.</summary>
/// <param name="Definition">What it sends.</param>
/// <param name="Position">How far it is.</param>
/// <param name="ChangeVector">The same as a change vector; null at the beginning.</param>
/// <param name="Lag">How many changes of the database are behind the position.</param>
/// <param name="ConnectedTicks">When a worker connected last, UTC; 0 if none did.</param>
/// <param name="OwedCount">How many documents are owed beside those behind the position.</param>
/// <param name="AsideCount">How many of them failed too often, and wait to be asked for.</param>
/// <param name="Workers">Its workers.</param>
/// <param name="Counters">What happened since the database was used first.</param>
public sealed record SubscriptionInfo(
    SubscriptionDefinition Definition, SubscriptionPosition Position, string? ChangeVector, long Lag,
    long ConnectedTicks, long OwedCount, long AsideCount, IReadOnlyList<SubscriptionWorker> Workers,
    SubscriptionCounters Counters);
