namespace Raven.Server.Http.WebSockets;

/// <summary>The kinds of frames (RFC 6455, 5.2).</summary>
internal enum WebSocketOpcode
{
    /// <summary>The next piece of a message.</summary>
    Continuation = 0x0,

    /// <summary>A text, or its first piece.</summary>
    Text = 0x1,

    /// <summary>Bytes, or the first piece of them.</summary>
    Binary = 0x2,

    /// <summary>The end of the connection.</summary>
    Close = 0x8,

    /// <summary>Asks for a <see cref="Pong"/>.</summary>
    Ping = 0x9,

    /// <summary>The answer to a ping.</summary>
    Pong = 0xA,
}
