namespace Raven.Client.Documents.Subscriptions;

/// <summary>What a new subscription sends.</summary>
public class SubscriptionCreationOptions
{
    /// <summary>Its name; null if the server makes one.</summary>
    public string? Name { get; set; }

    /// <summary>
    /// Its query: a collection, a condition and a projection in JavaScript, and what is sent along, as in
    /// <c>from Orders as o where o.Total > 100 select { Id: id(o), Total: o.Total } include o.Customer</c>.
    /// </summary>
    public string? Query { get; set; }

    /// <summary>
    /// Where it begins: a change vector, <c>LastDocument</c>, <c>BeginningOfTime</c>; null for the beginning.
    /// </summary>
    public string? ChangeVector { get; set; }

    /// <summary>Whether no worker may connect; null leaves it as it is.</summary>
    public bool? Disabled { get; set; }

    /// <summary>Whether archived documents are sent; null leaves it as it is.</summary>
    public SubscriptionArchivedBehavior? ArchivedDataProcessingBehavior { get; set; }
}

/// <summary>What is changed of a subscription; what is null stays as it is.</summary>
public sealed class SubscriptionUpdateOptions : SubscriptionCreationOptions
{
    /// <summary>Its number; null to find it by its name. With a number, the name is the new one.</summary>
    public long? Id { get; set; }

    /// <summary>Whether it is made if there is none.</summary>
    public bool CreateNew { get; set; }
}

/// <summary>Whether a subscription sends archived documents.</summary>
public enum SubscriptionArchivedBehavior
{
    /// <summary>It sends the others only.</summary>
    ExcludeArchived,

    /// <summary>It makes no difference.</summary>
    IncludeArchived,

    /// <summary>It sends these only.</summary>
    ArchivedOnly,
}

/// <summary>What a worker does if its subscription has one already.</summary>
public enum SubscriptionOpeningStrategy
{
    /// <summary>It fails with <c>SubscriptionInUseException</c>.</summary>
    OpenIfFree,

    /// <summary>It ends the other one, unless that one has this strategy too.</summary>
    TakeOver,

    /// <summary>It waits until the other one is gone.</summary>
    WaitForFree,

    /// <summary>It shares the documents with the others, which must have this strategy too.</summary>
    Concurrent,
}
