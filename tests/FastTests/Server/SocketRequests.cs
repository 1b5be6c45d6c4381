using System.Net.Sockets;
using System.Text;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>
/// Sends requests over a socket of its own, one after the other, and reads each answer only up to its end; it throws
/// nothing if all is well, so that any exception is the server's.
/// </summary>
internal sealed class SocketRequests(int port) : IDisposable
{
    private readonly byte[] _received = new byte[1 << 20];
    private Socket? _socket;

    /// <summary>Sends a request and waits for its whole answer.</summary>
    /// <param name="request">The request.</param>
    /// <param name="closes">Whether to ask the server to close the connection behind it.</param>
    /// <returns>The status.</returns>
    internal int Send(InMemoryRequest request, bool closes)
    {
        if (_socket is null)
        {
            _socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
            {
                NoDelay = true, ReceiveTimeout = (int)Deadline.Hang.TotalMilliseconds,
            };
            _socket.Connect("127.0.0.1", port);
        }

        ReadOnlySpan<byte> bytes = request.ToWire(port, closes);
        while (!bytes.IsEmpty)
        {
            bytes = bytes[_socket.Send(bytes)..];
        }

        int length = 0;
        int end;
        do
        {
            int more = _socket.Receive(_received.AsSpan(length));
            Assert.True(more > 0, $"closed after '{Encoding.UTF8.GetString(_received, 0, length)}'");
            length += more;
            end = EndOf(_received.AsSpan(0, length), request.Method == "HEAD");
        }
        while (end < 0 || length < end);
        Assert.Equal(end, length);
        if (closes)
        {
            Assert.Equal(0, _socket.Receive(_received.AsSpan(length)));
            Dispose();
        }

        // "HTTP/1.1 200"
        return int.Parse(_received.AsSpan(9, 3), null);
    }

    public void Dispose()
    {
        _socket?.Dispose();
        _socket = null;
    }

    /// <summary>The end of the answer; -1 if that is not known yet.</summary>
    private static int EndOf(ReadOnlySpan<byte> received, bool isHead)
    {
        int head = received.IndexOf("\r\n\r\n"u8);
        if (head < 0)
        {
            return -1;
        }

        ReadOnlySpan<byte> headers = received[..(head + 2)];
        int at = headers.IndexOf("\r\nContent-Length: "u8);
        if (isHead || headers[9..12] is [(byte)'2' or (byte)'3', (byte)'0', (byte)'4'])
        {
            return head + 4;
        }

        if (at >= 0)
        {
            ReadOnlySpan<byte> number = headers[(at + "\r\nContent-Length: ".Length)..];
            return head + 4 + int.Parse(number[..number.IndexOf((byte)'\r')], null);
        }

        return received[(head + 2)..].EndsWith("\r\n0\r\n\r\n"u8) ? received.Length : -1;
    }
}
