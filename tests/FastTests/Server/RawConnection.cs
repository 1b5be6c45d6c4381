using System.Net.Sockets;
using System.Text;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>A bare TCP connection, for what an HTTP client would never send.</summary>
internal sealed class RawConnection : IDisposable
{
    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp);

    internal RawConnection(int port)
    {
        _socket.ReceiveTimeout = (int)Deadline.Hang.TotalMilliseconds;
        _socket.Connect("127.0.0.1", port);
    }

    internal void Send(string text) => Send(Encoding.UTF8.GetBytes(text));

    internal void Send(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            bytes = bytes[_socket.Send(bytes)..];
        }
    }

    internal void EndSending() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>One whole answer: its head, and as many bytes as its Content-Length says, or all chunks.</summary>
    internal (int Status, string Head, string Body) Receive()
    {
        var received = new List<byte>();
        int headEnd;
        while ((headEnd = IndexOf(received, "\r\n\r\n")) < 0)
        {
            Assert.True(ReceiveMore(received), $"closed after '{Text(received)}'");
        }

        string head = Encoding.ASCII.GetString([.. received[..headEnd]]);
        int status = int.Parse(head.Split(' ')[1], null);
        received.RemoveRange(0, headEnd + 4);
        string? length = HeaderOf(head, "Content-Length");
        if (length != null)
        {
            int bytes = int.Parse(length, null);
            while (received.Count < bytes)
            {
                Assert.True(ReceiveMore(received), "closed inside of the body");
            }

            return (status, head, Encoding.UTF8.GetString([.. received[..bytes]]));
        }

        if (HeaderOf(head, "Transfer-Encoding") == "chunked")
        {
            while (IndexOf(received, "0\r\n\r\n") < 0)
            {
                Assert.True(ReceiveMore(received), "closed inside of the chunks");
            }
        }

        return (status, head, Text(received));
    }

    /// <summary>The status of the first answer; null if the other side closed without one.</summary>
    internal int? ReceiveStatusOrClose()
    {
        var received = new List<byte>();
        try
        {
            while (received.Count < 12 && ReceiveMore(received))
            {
                // "HTTP/1.1 400" are 12 characters.
            }
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return null;
        }

        // The preface of HTTP/2 may be answered with a frame of it that sends the client away: no status either.
        string text = Text(received);
        return received.Count < 12 || !text.StartsWith("HTTP/", StringComparison.Ordinal)
            ? null
            : int.Parse(text.AsSpan(9, 3), null);
    }

    /// <summary>All that comes until the other side closes.</summary>
    internal string ReceiveAll()
    {
        var received = new List<byte>();
        while (ReceiveMore(received))
        {
            // Until it closes.
        }

        return Text(received);
    }

    /// <summary>True if the other side closed and sent no more.</summary>
    internal bool IsClosed()
    {
        try
        {
            return _socket.Receive(new byte[1]) == 0;
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return true;
        }
    }

    /// <summary>Without waiting: true if the other side has answered something, or closed.</summary>
    internal bool HasAnswer() => _socket.Poll(0, SelectMode.SelectRead);

    /// <summary>Without waiting: true if the other side has closed, whatever it sent before.</summary>
    internal bool HasEnded()
    {
        byte[] buffer = new byte[16 * 1024];
        try
        {
            while (_socket.Poll(0, SelectMode.SelectRead))
            {
                if (_socket.Receive(buffer) == 0)
                {
                    return true;
                }
            }

            return false;
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            return true;
        }
    }

    public void Dispose() => _socket.Dispose();

    private static string? HeaderOf(string head, string name) => head.Split("\r\n")
        .FirstOrDefault(line => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase))?
        .Split(':', 2)[1].Trim();

    private static string Text(List<byte> bytes) => Encoding.UTF8.GetString([.. bytes]);

    private static int IndexOf(List<byte> bytes, string what) =>
        Encoding.Latin1.GetString([.. bytes]).IndexOf(what, StringComparison.Ordinal);

    private bool ReceiveMore(List<byte> into)
    {
        byte[] buffer = new byte[16 * 1024];
        int count = _socket.Receive(buffer);
        into.AddRange(buffer.AsSpan(0, count));
        return count > 0;
    }
}
