namespace Raven.Documents.Subscriptions;

/// <summary>Why something could not be done with a subscription.</summary>
public enum SubscriptionProblem
{
    /// <summary>There is none of that name.</summary>
    DoesNotExist,

    /// <summary>The name is taken, or is none.</summary>
    Name,

    /// <summary>Its query or another part of its definition is not valid.</summary>
    Invalid,

    /// <summary>Its query cannot run in this database.</summary>
    InvalidState,

    /// <summary>Other workers have it.</summary>
    InUse,

    /// <summary>It is disabled, or its worker was disconnected.</summary>
    Closed,

    /// <summary>Its definition was changed while the worker had it.</summary>
    Changed,

    /// <summary>A change vector is none of this database.</summary>
    ChangeVector,

    /// <summary>The batch is not one that is open: it was acknowledged, or its lease has ended.</summary>
    BatchLost,
}
