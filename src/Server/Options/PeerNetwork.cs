namespace Raven.Server.Options;

/// <summary>The machines whose connections a server takes.</summary>
internal enum PeerNetwork
{
    /// <summary>This machine.</summary>
    Loopback = 0,

    /// <summary>Those of private networks, and this one.</summary>
    Private = 1,

    /// <summary>All.</summary>
    Any = 2,
}
