namespace Raven.Server.Http.Changes;

/// <summary>Why a connection that waited goes on: the three answers of its wait, and its end.</summary>
[Flags]
internal enum WakeReasons
{
    /// <summary>It still waits.</summary>
    None = 0,

    /// <summary>Something that it watches has changed, or a command is to be confirmed.</summary>
    Changed = 1,

    /// <summary>The client said something that wants an answer of the protocol itself.</summary>
    ClientSaid = 2,

    /// <summary>Nothing, for one heartbeat.</summary>
    Heartbeat = 4,

    /// <summary>It ends.</summary>
    Ending = 8,
}
