using Raven.Documents.Subscriptions;

namespace Raven.Server.Http.Subscriptions;

/// <summary>How the problems of subscriptions are named in answers and messages.</summary>
internal static class SubscriptionErrors
{
    private const string Family = "Raven.Client.Exceptions.Documents.Subscriptions.";

    /// <summary>The <c>Type</c> of an error.</summary>
    internal static string TypeOf(SubscriptionProblem problem) => Family + problem switch
    {
        SubscriptionProblem.DoesNotExist => "SubscriptionDoesNotExistException",
        SubscriptionProblem.Name => "SubscriptionNameException",
        SubscriptionProblem.Invalid => "SubscriptionCreationException",
        SubscriptionProblem.InvalidState => "SubscriptionInvalidStateException",
        SubscriptionProblem.InUse => "SubscriptionInUseException",
        SubscriptionProblem.Closed => "SubscriptionClosedException",
        SubscriptionProblem.Changed => "SubscriptionChangeVectorUpdateConcurrencyException",
        SubscriptionProblem.ChangeVector => "SubscriptionCreationException",
        _ => "SubscriptionMessageTypeException",
    };

    /// <summary>The HTTP status. Nothing is 404: clients take that for an empty result.</summary>
    internal static int StatusOf(SubscriptionProblem problem) =>
        problem is SubscriptionProblem.InUse or SubscriptionProblem.BatchLost or SubscriptionProblem.Changed
            ? 409
            : 400;

    /// <summary>The <c>Status</c> of a connection, and whether a worker that was closed may connect again.</summary>
    internal static (string Status, bool? CanReconnect) ConnectionOf(SubscriptionException end) => end.Problem switch
    {
        SubscriptionProblem.DoesNotExist => ("NotFound", null),
        SubscriptionProblem.Invalid or SubscriptionProblem.InvalidState => ("Invalid", null),
        SubscriptionProblem.InUse => ("InUse", null),
        SubscriptionProblem.Changed => ("Closed", true),
        _ => ("Closed", end.CanReconnect),
    };
}
