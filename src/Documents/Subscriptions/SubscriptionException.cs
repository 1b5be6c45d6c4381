namespace Raven.Documents.Subscriptions;

/// <summary>Something cannot be done with a subscription, for a reason that the caller can know.</summary>
/// <param name="problem">The kind of reason.</param>
/// <param name="message">What is wrong, and where.</param>
public sealed class SubscriptionException(SubscriptionProblem problem, string message) : Exception(message)
{
    /// <summary>The kind of reason.</summary>
    public SubscriptionProblem Problem { get; } = problem;

    /// <summary>For <see cref="SubscriptionProblem.Closed"/>: whether a worker may connect again.</summary>
    public bool CanReconnect { get; init; }

    /// <summary>There is no subscription of a name.</summary>
    internal static SubscriptionException Missing(string name) => new(
        SubscriptionProblem.DoesNotExist, $"There is no subscription '{name}'.");

    /// <summary>The subscription was deleted while a worker had it.</summary>
    internal static SubscriptionException Deleted(string name) => new(
        SubscriptionProblem.DoesNotExist, $"The subscription '{name}' was deleted.");

    /// <summary>The definition was changed while a worker had it.</summary>
    internal static SubscriptionException Changed(string name) => new(
        SubscriptionProblem.Changed, $"The subscription '{name}' was changed: connect again.");

    /// <summary>The subscription is disabled.</summary>
    internal static SubscriptionException Disabled(string name) => new(
        SubscriptionProblem.Closed, $"The subscription '{name}' is disabled.");
}
