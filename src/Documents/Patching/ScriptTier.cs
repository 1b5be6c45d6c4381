namespace Raven.Documents.Patching;

/// <summary>The threads that scripts run on, and how much they may use there before they are moved
/// to another.</summary>
internal enum ScriptTier
{
    /// <summary>On the thread of the request: very little.</summary>
    Short,

    /// <summary>On a thread that runs only on idle cores: all but the time.</summary>
    Idle,

    /// <summary>On a thread with a share of its own, or in the transaction: all that the limits allow.</summary>
    Long,
}
