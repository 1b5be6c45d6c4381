namespace Raven.Server.Http.WebSockets;

/// <summary>Why a connection ends (RFC 6455, 7.4.1).</summary>
internal enum WebSocketCloseStatus
{
    /// <summary>All is done.</summary>
    Normal = 1000,

    /// <summary>The server stops, or what was watched is gone.</summary>
    GoingAway = 1001,

    /// <summary>The other side breaks the protocol.</summary>
    ProtocolError = 1002,

    /// <summary>A message of a kind that is not taken.</summary>
    UnsupportedData = 1003,

    /// <summary>A text that is not UTF-8, or not what it should be.</summary>
    InvalidPayload = 1007,

    /// <summary>The other side does what it may not.</summary>
    PolicyViolation = 1008,

    /// <summary>A message that is too long.</summary>
    MessageTooBig = 1009,
}
