namespace Raven.Storage.Errors;

/// <summary>Why a log record was refused.</summary>
public enum LogRefusal
{
    /// <summary>The bytes are no log record.</summary>
    NotARecord,

    /// <summary>A newer build made it.</summary>
    NewerFormat,

    /// <summary>Its bytes are not those that were sent: the length or a hash is wrong.</summary>
    Damaged,

    /// <summary>It is of another environment.</summary>
    OtherEnvironment,

    /// <summary>It is not that of the next transaction.</summary>
    NotNext,

    /// <summary>Its log is not the one that this node has.</summary>
    OtherHistory,

    /// <summary>Its bytes are whole, and make no state: a mistake of the node that made it, or another state here.
    /// </summary>
    Impossible,
}
