namespace Raven.Server.Http.WebSockets;

/// <summary>Why a connection ends (RFC 6455, 7.4.1).</summary>
internal enum WebSocketCloseStatus
{
    /// <summary>The connection is not needed any more.</summary>
    Normal = 1000,

    /// <summary>The server stops, or what was watched was deleted.</summary>
    GoingAway = 1001,

    /// <summary>The other side violated the protocol.</summary>
    ProtocolError = 1002,

    /// <summary>A message of an unsupported kind.</summary>
    UnsupportedData = 1003,

    /// <summary>A text that is not UTF-8, or not valid.</summary>
    InvalidPayload = 1007,

    /// <summary>The other side did something that is not allowed.</summary>
    PolicyViolation = 1008,

    /// <summary>A message that is too long.</summary>
    MessageTooBig = 1009,
}
