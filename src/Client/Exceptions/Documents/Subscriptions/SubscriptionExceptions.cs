namespace Raven.Client.Exceptions.Documents.Subscriptions;

/// <summary>Something cannot be done with a subscription.</summary>
public class SubscriptionException(string message, Exception? innerException = null)
    : RavenException(message, innerException);

/// <summary>There is no subscription of that name; or it was deleted.</summary>
public sealed class SubscriptionDoesNotExistException(string message) : SubscriptionException(message);

/// <summary>The name of a subscription is taken, or cannot be one.</summary>
public sealed class SubscriptionNameException(string message) : SubscriptionException(message);

/// <summary>The definition of a subscription is not valid.</summary>
public sealed class SubscriptionCreationException(string message) : SubscriptionException(message);

/// <summary>The query of a subscription cannot run in its database.</summary>
public sealed class SubscriptionInvalidStateException(string message) : SubscriptionException(message);

/// <summary>Another worker has the subscription.</summary>
public sealed class SubscriptionInUseException(string message) : SubscriptionException(message);

/// <summary>The definition of a subscription was changed while a worker had it.</summary>
public sealed class SubscriptionChangeVectorUpdateConcurrencyException(string message)
    : SubscriptionException(message);

/// <summary>A worker sent what it may not send.</summary>
public sealed class SubscriptionMessageTypeException(string message) : SubscriptionException(message);

/// <summary>The code that handles batches threw an exception, which is the inner one.</summary>
public sealed class SubscriberErrorException(string message, Exception innerException)
    : SubscriptionException(message, innerException);

/// <summary>The server has ended a worker.</summary>
public sealed class SubscriptionClosedException(string message) : SubscriptionException(message)
{
    /// <summary>Whether the worker may connect again.</summary>
    public bool CanReconnect { get; internal init; }

    /// <summary>The tag of the node that serves the subscription, if another one has said so.</summary>
    internal string? ServedBy { get; init; }
}

/// <summary>A feed cannot go on from a token: changes that it names are lost, and all is to be read again.</summary>
public sealed class FeedHistoryLostException(string message) : SubscriptionException(message);
