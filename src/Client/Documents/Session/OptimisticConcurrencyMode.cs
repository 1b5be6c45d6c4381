namespace Raven.Client.Documents.Session;

/// <summary>What a save checks before it is done.</summary>
public enum OptimisticConcurrencyMode
{
    /// <summary>Nothing: the last save wins.</summary>
    None,

    /// <summary>That no document which it writes was changed in between.</summary>
    Writes,

    /// <summary>
    /// That neither a document which it writes nor one which the session has loaded was changed in between: what the
    /// session has read and what it writes are one moment.
    /// </summary>
    WritesAndReads,
}
