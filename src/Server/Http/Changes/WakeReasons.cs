namespace Raven.Server.Http.Changes;

/// <summary>Why a waiting connection goes on: the three reasons of CON-1, and its end.</summary>
[Flags]
internal enum WakeReasons
{
    /// <summary>It still waits.</summary>
    None = 0,

    /// <summary>A change that it watches, or a command that has to be confirmed.</summary>
    Changed = 1,

    /// <summary>A message of the client that the protocol has to answer.</summary>
    ClientMessage = 2,

    /// <summary>A heartbeat without anything else.</summary>
    Heartbeat = 4,

    /// <summary>It ends.</summary>
    Ending = 8,
}
