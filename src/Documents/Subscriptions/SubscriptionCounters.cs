namespace Raven.Documents.Subscriptions;

/// <summary>What happened in a subscription since its database was used first.</summary>
/// <param name="DocumentsSent">How many documents were sent.</param>
/// <param name="BatchesAcknowledged">How many batches were acknowledged.</param>
/// <param name="Failures">At how many documents its script failed.</param>
/// <param name="LastError">The last of these failures; null if there is none.</param>
public sealed record SubscriptionCounters(
    long DocumentsSent, long BatchesAcknowledged, long Failures, string? LastError);
