namespace Raven.Client.Documents.Subscriptions;

/// <summary>A subscription, and how far it is.</summary>
public sealed class SubscriptionState
{
    /// <summary>Its number.</summary>
    public long SubscriptionId { get; init; }

    /// <summary>Its name.</summary>
    public string SubscriptionName { get; init => field = value ?? ""; } = "";

    /// <summary>Its query.</summary>
    public string Query { get; init => field = value ?? ""; } = "";

    /// <summary>The last change that its workers are done with; null at the beginning.</summary>
    public string? ChangeVectorForNextBatchStartingPoint { get; init; }

    /// <summary>When a batch was acknowledged last; null if none was.</summary>
    public DateTime? LastBatchAckTime { get; init; }

    /// <summary>When a worker connected last; null if none did.</summary>
    public DateTime? LastClientConnectionTime { get; init; }

    /// <summary>Whether no worker may connect.</summary>
    public bool Disabled { get; init; }

    /// <summary>Whether archived documents are sent.</summary>
    public SubscriptionArchivedBehavior ArchivedDataProcessingBehavior { get; init; }

    /// <summary>How many changes of the database are behind its position.</summary>
    public long Lag { get; init; }

    /// <summary>How many documents failed too often, and wait to be asked for.</summary>
    public long AsideDocuments { get; init; }
}
