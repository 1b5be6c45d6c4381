using System.Buffers.Binary;

namespace Raven.Server.Http.WebSockets;

//   BIT   0     FIN        the last piece of a message
//   BITS  1-3   RSV        0: no extension was agreed on
//   BITS  4-7   opcode     WebSocketOpcode
//   BIT   8     MASK       1 from a client, 0 from a server
//   BITS  9-15  length     up to 125; 126: 16 bits follow, 127: 64 bits follow, big-endian
//   then  4 bytes mask, from a client

/// <summary>The header of a frame as a client sends it (RFC 6455, 5.2), and how a server writes its own.</summary>
internal readonly record struct WebSocketFrame
{
    /// <summary>The longest header that a server writes.</summary>
    internal const int ServerHeaderSizeBytesMax = 10;

    /// <summary>The longest header that a client writes.</summary>
    internal const int ClientHeaderSizeBytesMax = 14;

    /// <summary>The longest payload of a control frame.</summary>
    internal const int ControlPayloadSizeBytesMax = 125;

    /// <summary>The kind of the frame.</summary>
    internal WebSocketOpcode Opcode { get; private init; }

    /// <summary>True for the last piece of a message.</summary>
    internal bool IsFinal { get; private init; }

    /// <summary>The bytes of the payload.</summary>
    internal long PayloadLength { get; private init; }

    /// <summary>The bytes of the header.</summary>
    internal int HeaderLength { get; private init; }

    /// <summary>The bytes that the payload is combined with, by exclusive or.</summary>
    internal uint Mask { get; private init; }

    /// <summary>True for a frame that is no part of a message.</summary>
    internal bool IsControl => (int)Opcode >= 8;

    /// <summary>Reads a header.</summary>
    /// <param name="bytes">The bytes that were received so far.</param>
    /// <param name="frame">The header.</param>
    /// <param name="error">How it violates the protocol, or null.</param>
    /// <returns>False if more bytes are needed, or there is an error.</returns>
    internal static bool TryParse(ReadOnlySpan<byte> bytes, out WebSocketFrame frame, out string? error)
    {
        frame = default;
        error = null;
        if (bytes.Length < 2)
        {
            return false;
        }

        var opcode = (WebSocketOpcode)(bytes[0] & 0x0F);
        bool isFinal = (bytes[0] & 0x80) != 0;
        int length = bytes[1] & 0x7F;
        error = (bytes[0] & 0x70) != 0 ? "a reserved bit is set"
            : !IsKnown(opcode) ? $"the opcode {(int)opcode} is not known"
            : (bytes[1] & 0x80) == 0 ? "a frame of a client must be masked"
            : (int)opcode >= 8 && !isFinal ? "a control frame cannot come in pieces"
            : (int)opcode >= 8 && length > ControlPayloadSizeBytesMax ? "a control frame is longer than 125 bytes"
            : null;
        int lengthSize = length switch { 126 => 2, 127 => 8, _ => 0 };
        int headerLength = 2 + lengthSize + sizeof(uint);
        if (error != null || bytes.Length < headerLength)
        {
            return false;
        }

        ulong payload = lengthSize switch
        {
            2 => BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]),
            8 => BinaryPrimitives.ReadUInt64BigEndian(bytes[2..]),
            _ => (ulong)length,
        };
        if (payload > long.MaxValue)
        {
            error = "the length of a frame has more than 63 bits";
            return false;
        }

        frame = new WebSocketFrame
        {
            Opcode = opcode,
            IsFinal = isFinal,
            PayloadLength = (long)payload,
            HeaderLength = headerLength,
            Mask = BinaryPrimitives.ReadUInt32LittleEndian(bytes[(2 + lengthSize)..]),
        };
        return true;
    }

    /// <summary>Removes the mask from a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="mask">The mask, its first byte lowest.</param>
    /// <param name="offset">How many bytes of the payload came before.</param>
    internal static void Unmask(Span<byte> payload, uint mask, long offset)
    {
        for (int i = 0; i < payload.Length; i++)
        {
            payload[i] ^= (byte)(mask >> (int)((offset + i) % sizeof(uint) * 8));
        }
    }

    /// <summary>Writes the header of a whole message of a server so that it ends right before the payload.</summary>
    /// <param name="opcode">The kind of the frame.</param>
    /// <param name="payloadLength">The bytes of the payload.</param>
    /// <param name="room">At least <see cref="ServerHeaderSizeBytesMax"/> bytes right before the payload.</param>
    /// <returns>The length of the header.</returns>
    internal static int WriteBefore(WebSocketOpcode opcode, int payloadLength, Span<byte> room)
    {
        int lengthSize = payloadLength <= ControlPayloadSizeBytesMax ? 0 : payloadLength <= ushort.MaxValue ? 2 : 8;
        Span<byte> header = room[^(2 + lengthSize)..];
        header[0] = (byte)(0x80 | (int)opcode);
        switch (lengthSize)
        {
            case 0:
                header[1] = (byte)payloadLength;
                break;
            case 2:
                header[1] = 126;
                BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)payloadLength);
                break;
            default:
                header[1] = 127;
                BinaryPrimitives.WriteUInt64BigEndian(header[2..], (ulong)payloadLength);
                break;
        }

        return header.Length;
    }

    private static bool IsKnown(WebSocketOpcode opcode) => opcode is
        WebSocketOpcode.Continuation or WebSocketOpcode.Text or WebSocketOpcode.Binary
        or WebSocketOpcode.Close or WebSocketOpcode.Ping or WebSocketOpcode.Pong;
}
