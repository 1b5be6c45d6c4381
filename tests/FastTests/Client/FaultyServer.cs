using System.Net;
using System.Net.Sockets;
using System.Text;
using FastTests.Support;

namespace FastTests.Client;

/// <summary>
/// A server that answers each request by a piece of text, and then does as its script says: stays silent, closes its
/// side, or breaks the connection.
/// </summary>
internal sealed class FaultyServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<TcpClient> _clients = [];
    private readonly Func<string, string> _answer;
    private readonly Action<Socket>? _then;

    /// <param name="answer">What is sent for each request.</param>
    /// <param name="then">What is done to the connection then; null keeps it open.</param>
    internal FaultyServer(string answer, Action<Socket>? then = null)
        : this(_ => answer, then)
    {
    }

    /// <param name="answer">What is sent for a request.</param>
    /// <param name="then">What is done to the connection then; null keeps it open.</param>
    internal FaultyServer(Func<string, string> answer, Action<Socket>? then = null)
    {
        _answer = answer;
        _then = then;
        _listener.Start();
        Url = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
        _ = AcceptAsync();
    }

    internal string Url { get; }

    internal int Requests { get; private set; }

    internal static void CloseItsSide(Socket socket) => socket.Shutdown(SocketShutdown.Send);

    internal static void Break(Socket socket)
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Close();
    }

    internal static string Answer(int status, string body, string headers = "") =>
        $"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{headers}"
        + $"Content-Length: {body.Length}\r\n\r\n{body}";

    /// <summary>The beginning of an answer that continues.</summary>
    internal static string Chunk(string text) =>
        $"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{text.Length:x}\r\n{text}\r\n";

    public void Dispose()
    {
        _listener.Dispose();
        lock (_clients)
        {
            _clients.ForEach(client => client.Dispose());
        }
    }

    private async Task AcceptAsync()
    {
        while (await Accepting.NextAsync(_listener) is { } client)
        {
            lock (_clients)
            {
                _clients.Add(client);
            }

            _ = ServeAsync(client);
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        byte[] buffer = new byte[65536];
        try
        {
            for (int read; (read = await client.GetStream().ReadAsync(buffer)) > 0;)
            {
                Requests++;
                string answer = _answer(Encoding.ASCII.GetString(buffer, 0, read));
                await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(answer));
                _then?.Invoke(client.Client);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // It was asked to break, or the test is over.
        }
    }
}
