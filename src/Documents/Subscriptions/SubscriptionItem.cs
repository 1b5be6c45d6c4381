namespace Raven.Documents.Subscriptions;

/// <summary>One document of a batch: where its parts are in the memory of the batch.</summary>
/// <param name="Start">Where its JSON begins.</param>
/// <param name="Length">How many bytes it has.</param>
/// <param name="NameStart">Where its id begins, which its version follows.</param>
/// <param name="IdLength">How many bytes the id has.</param>
/// <param name="VersionLength">How many bytes the version has.</param>
/// <param name="Error">Why the script failed; null if it did not.</param>
internal readonly record struct SubscriptionItem(
    int Start, int Length, int NameStart, int IdLength, int VersionLength, string? Error);
