using System.Net;
using System.Net.Sockets;

namespace SlowTests.Backups;

/// <summary>A port that leads to another one, and cuts connections off after so many bytes of either side.</summary>
internal sealed class CuttingRelay : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<int> _bytesMax;
    private readonly int _target;
    private readonly Task _accepting;
    private int _cuts;

    /// <param name="target">The other port.</param>
    /// <param name="bytesMax">Gives how many bytes a connection gets; <see cref="int.MaxValue"/> for all.</param>
    internal CuttingRelay(int target, Func<int> bytesMax)
    {
        _target = target;
        _bytesMax = bytesMax;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    internal int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>How many connections were cut off.</summary>
    internal int Cuts => Volatile.Read(ref _cuts);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting;
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                connections.Add(RelayAsync(await _listener.AcceptSocketAsync(_stop.Token)));
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task RelayAsync(Socket client)
    {
        using (client)
        using (var server = new Socket(SocketType.Stream, ProtocolType.Tcp))
        {
            try
            {
                await server.ConnectAsync(IPAddress.Loopback, _target, _stop.Token);
                int left = _bytesMax();
                using var ended = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
                Task first = await Task.WhenAny(
                    CopyAsync(client, server, () => Interlocked.Add(ref left, 0), n => Interlocked.Add(ref left, -n),
                        ended.Token),
                    CopyAsync(server, client, () => Interlocked.Add(ref left, 0), n => Interlocked.Add(ref left, -n),
                        ended.Token));
                await ended.CancelAsync();
                await first;
                if (left <= 0)
                {
                    Interlocked.Increment(ref _cuts);
                    client.Close(0);
                }
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException or IOException)
            {
                // The connection has ended.
            }
        }
    }

    private static async Task CopyAsync(
        Socket from, Socket to, Func<int> left, Action<int> spend, CancellationToken cancellation)
    {
        byte[] buffer = new byte[16 << 10];
        while (left() > 0)
        {
            int read = await from.ReceiveAsync(buffer, cancellation);
            if (read == 0)
            {
                return;
            }

            spend(read);
            if (left() > 0)
            {
                await to.SendAsync(buffer.AsMemory(0, read), cancellation);
            }
        }
    }
}
