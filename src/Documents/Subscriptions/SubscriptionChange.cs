namespace Raven.Documents.Subscriptions;

/// <summary>What a client asks to make, or to change, of a subscription.</summary>
public sealed record SubscriptionChange
{
    /// <summary>A change vector that stands for the last change of the database.</summary>
    public const string LastDocument = "LastDocument";

    /// <summary>A change vector that stands for the time before all changes.</summary>
    public const string BeginningOfTime = "BeginningOfTime";

    /// <summary>A change vector that leaves the position as it is.</summary>
    public const string DoNotChange = "DoNotChange";

    /// <summary>The number of the subscription that is changed; null to find it by its name.</summary>
    public long? Id { get; init; }

    /// <summary>Its name, or its new name if there is an <see cref="Id"/>; null for one that is made.</summary>
    public string? Name { get; init; }

    /// <summary>Its query; null for what it is.</summary>
    public string? Query { get; init; }

    /// <summary>
    /// The position from which documents are sent. If it is null, a new subscription begins with the first document,
    /// and one that exists keeps its position.
    /// </summary>
    public string? ChangeVector { get; init; }

    /// <summary>Whether it is disabled; null for what it is.</summary>
    public bool? IsDisabled { get; init; }

    /// <summary>Whether archived documents are sent; null for what it is.</summary>
    public ArchivedDocuments? Archived { get; init; }

    /// <summary>The node, kept for clients; null for what it is.</summary>
    public string? MentorNode { get; init; }

    /// <summary>Kept for clients; null for what it is.</summary>
    public bool? PinToMentorNode { get; init; }

    /// <summary>Whether a change makes the subscription if there is none.</summary>
    public bool CreatesMissing { get; init; }

    /// <summary>The id of the request; the same one again makes nothing more.</summary>
    public string? RequestId { get; init; }

    /// <summary>The number of the change, which clients of a cluster expect.</summary>
    public long CommandIndex { get; init; }
}
