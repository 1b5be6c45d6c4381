using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace SlowTests.Security;

/// <summary>The bytes of handshakes that no library of today would send.</summary>
internal static class RawTls
{
    internal const byte Alert = 21;
    internal const byte Handshake = 22;

    internal const ushort Tls12 = 0x0303;

    private const int ReceiveTimeMilliseconds = 30_000;

    /// <summary>The first message of a client, as a record.</summary>
    /// <param name="version">The highest version that it offers.</param>
    /// <param name="suites">The cipher suites that it offers.</param>
    internal static byte[] ClientHello(ushort version, params ushort[] suites)
    {
        var hello = new List<byte>();
        AddNumber(hello, version);
        hello.AddRange(Enumerable.Range(0, 32).Select(i => (byte)i));
        hello.Add(0); // no session
        AddNumber(hello, (ushort)(2 * suites.Length));
        foreach (ushort suite in suites)
        {
            AddNumber(hello, suite);
        }

        hello.AddRange([1, 0]); // no compression
        if (version >= Tls12)
        {
            // The curves x25519 and P-256, points uncompressed, signatures by RSA (PSS, PKCS#1) and ECDSA with SHA-256.
            byte[] extensions =
            [
                0, 10, 0, 6, 0, 4, 0, 29, 0, 23,
                0, 11, 0, 2, 1, 0,
                0, 13, 0, 8, 0, 6, 8, 4, 4, 1, 4, 3,
            ];
            AddNumber(hello, (ushort)extensions.Length);
            hello.AddRange(extensions);
        }

        byte[] record = new byte[9 + hello.Count];
        record[0] = Handshake;
        BinaryPrimitives.WriteUInt16BigEndian(record.AsSpan(1), Math.Min(version, (ushort)0x0301));
        BinaryPrimitives.WriteUInt16BigEndian(record.AsSpan(3), (ushort)(4 + hello.Count));
        record[5] = 1;
        record[6] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(record.AsSpan(7), (ushort)hello.Count);
        hello.CopyTo(record, 9);
        return record;
    }

    /// <summary>Sends something, and gives the type of the first record of the answer; null if there is none.</summary>
    internal static byte? FirstAnswer(int port, byte[] sent)
    {
        byte[] answer = Exchange(port, sent, 1);
        return answer.Length == 0 ? null : answer[0];
    }

    /// <summary>Sends something, and gives all that comes until the server closes.</summary>
    internal static byte[] Exchange(int port, byte[] sent, int receivedMax = int.MaxValue)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true, ReceiveTimeout = ReceiveTimeMilliseconds,
        };
        socket.Connect(IPAddress.Loopback, port);
        var received = new List<byte>();
        byte[] buffer = new byte[4096];
        try
        {
            socket.Send(sent);
            int count;
            while (received.Count < receivedMax && (count = socket.Receive(buffer)) > 0)
            {
                received.AddRange(buffer.AsSpan(0, count));
            }
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.ConnectionReset or SocketError.Shutdown)
        {
            // It is closed, too.
        }

        return [.. received];
    }

    private static void AddNumber(List<byte> bytes, ushort number)
    {
        bytes.Add((byte)(number >> 8));
        bytes.Add((byte)number);
    }
}
