using System.Net;
using System.Net.Sockets;
using System.Text;
using FastTests.Support;

namespace FastTests.Client;

/// <summary>Stands between a client and a server, counts the connections and keeps what the client sends and
/// gets.</summary>
internal sealed class Relay : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<TcpClient> _ends = [];
    private readonly Lock _lock = new();
    private readonly MemoryStream _sent = new();
    private readonly MemoryStream _received = new();
    private readonly Uri _server;
    private int _connections;

    /// <param name="url">The server.</param>
    internal Relay(string url)
    {
        _server = new Uri(url);
        _listener.Start();
        Url = $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
        _ = AcceptAsync();
    }

    internal string Url { get; }

    /// <summary>How many connections clients have opened.</summary>
    internal int Connections => Volatile.Read(ref _connections);

    /// <summary>What clients have sent since <see cref="Forget"/>, a character a byte.</summary>
    internal string Sent => TextOf(_sent);

    /// <summary>What clients were answered since <see cref="Forget"/>, a character a byte.</summary>
    internal string Received => TextOf(_received);

    internal void Forget()
    {
        lock (_lock)
        {
            _sent.SetLength(0);
            _received.SetLength(0);
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        lock (_lock)
        {
            _ends.ForEach(end => end.Dispose());
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (await Accepting.NextAsync(_listener) is { } client)
            {
                Interlocked.Increment(ref _connections);
                var server = new TcpClient { NoDelay = true };
                client.NoDelay = true;
                await server.ConnectAsync(_server.Host, _server.Port);
                lock (_lock)
                {
                    _ends.AddRange([client, server]);
                }

                _ = CopyAsync(client, server, _sent);
                _ = CopyAsync(server, client, _received);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task CopyAsync(TcpClient from, TcpClient to, MemoryStream record)
    {
        byte[] buffer = new byte[65536];
        try
        {
            for (int read; (read = await from.GetStream().ReadAsync(buffer)) > 0;)
            {
                lock (_lock)
                {
                    record.Write(buffer, 0, read);
                }

                await to.GetStream().WriteAsync(buffer.AsMemory(0, read));
            }

            to.Client.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (
            e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // One of the ends is gone, or the test is over.
        }
    }

    private string TextOf(MemoryStream record)
    {
        lock (_lock)
        {
            return Encoding.Latin1.GetString(record.GetBuffer(), 0, (int)record.Length);
        }
    }
}
