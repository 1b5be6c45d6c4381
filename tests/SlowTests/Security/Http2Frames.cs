using System.Buffers.Binary;
using System.Net.Security;
using System.Text;

namespace SlowTests.Security;

/// <summary>The frames of HTTP/2, one by one, for what a client would never send.</summary>
internal static class Http2Frames
{
    internal const byte Data = 0;
    internal const byte Headers = 1;
    internal const byte Reset = 3;
    internal const byte Settings = 4;
    internal const byte Ping = 6;
    internal const byte GoAway = 7;
    internal const byte Continuation = 9;

    internal const byte EndStream = 1;
    internal const byte EndHeaders = 4;

    private const int HeadLength = 9;

    /// <summary>What a connection begins with: the preface, and settings that may allow no byte of an answer.</summary>
    internal static byte[] Begin(bool allowsAnswers) =>
    [
        .. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8,
        .. Frame(Settings, 0, 0, allowsAnswers ? [] : [0, 4, 0, 0, 0, 0]),
    ];

    /// <summary>A frame.</summary>
    internal static byte[] Frame(byte type, byte flags, int stream, ReadOnlySpan<byte> payload)
    {
        byte[] frame = new byte[HeadLength + payload.Length];
        frame[0] = (byte)(payload.Length >> 16);
        frame[1] = (byte)(payload.Length >> 8);
        frame[2] = (byte)payload.Length;
        frame[3] = type;
        frame[4] = flags;
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(5), stream);
        payload.CopyTo(frame.AsSpan(HeadLength));
        return frame;
    }

    /// <summary>The headers of a GET, as a block: indexed ones, then literals that are not kept.</summary>
    internal static byte[] Get(string path) =>
        [0x82, 0x87, .. Literal(4, path), .. Literal(1, "localhost")];

    /// <summary>Reads frames until the connection ends or is sent away; gives their types.</summary>
    internal static async Task<List<byte>> ReadAsync(SslStream tls, CancellationToken over)
    {
        List<byte> types = [];
        byte[] head = new byte[HeadLength];
        try
        {
            while (types.LastOrDefault() != GoAway)
            {
                await tls.ReadExactlyAsync(head, over);
                types.Add(head[3]);
                byte[] payload = new byte[(head[0] << 16) | (head[1] << 8) | head[2]];
                await tls.ReadExactlyAsync(payload, over);
            }
        }
        catch (Exception end) when (end is IOException or OperationCanceledException)
        {
            // It is closed, or says no more.
        }

        return types;
    }

    /// <summary>A value under a name of the static table, at most 127 bytes.</summary>
    private static byte[] Literal(byte name, string value) =>
        [name, (byte)value.Length, .. Encoding.ASCII.GetBytes(value)];
}
