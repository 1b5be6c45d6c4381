namespace Raven.Server.Http;

/// <summary>A connection that waits, and has a heartbeat in each turn of a <see cref="HeartbeatWheel"/>.</summary>
internal interface IHeartbeat
{
    /// <summary>Its place in the wheel, which sets it.</summary>
    int Slot { get; set; }

    /// <summary>
    /// Called once a turn by the thread of the wheel, which other connections wait for: it does not block. It may still
    /// be called for a short time after the connection was removed.
    /// </summary>
    void OnHeartbeat();

    /// <summary>Ends the connection for a reason that the client is told.</summary>
    void End(string reason);
}
