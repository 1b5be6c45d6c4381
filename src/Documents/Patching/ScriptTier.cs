namespace Raven.Documents.Patching;

/// <summary>The threads that scripts run on, and how much they may use there before they are moved
/// to another.</summary>
internal enum ScriptTier
{
    /// <summary>On the thread of the request: very little.</summary>
    Short,

    /// <summary>On one of the threads that give way: all but the time.</summary>
    Background,

    /// <summary>On the thread for long scripts, or in the transaction: all that the limits allow.</summary>
    Long,
}
