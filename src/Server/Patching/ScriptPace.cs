namespace Raven.Server.Patching;

/// <summary>Where scripts run, and what they may use there before they go elsewhere.</summary>
internal enum ScriptPace
{
    /// <summary>On the thread of the request: next to nothing.</summary>
    Short,

    /// <summary>On a thread that runs where nobody else wants to: all but the time.</summary>
    Idle,

    /// <summary>On a thread with a share of its own, or in the transaction: all that the limits allow.</summary>
    Patient,
}
