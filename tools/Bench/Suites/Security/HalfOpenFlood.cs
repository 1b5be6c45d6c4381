using System.Net;
using System.Net.Sockets;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// Connections that begin a handshake and send a byte of it in a second. One that the server ends is made anew a second
/// later.
/// </summary>
internal sealed class HalfOpenFlood : IAsyncDisposable
{
    private static readonly TimeSpan BetweenBytes = TimeSpan.FromSeconds(1);

    /// <summary>The head of a record with a ClientHello of 512 bytes, whose body never comes whole.</summary>
    private static readonly byte[] Hello = [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, .. new byte[501]];

    private readonly CancellationTokenSource _stop = new();
    private readonly IPEndPoint _server;
    private readonly IPAddress _from;
    private readonly Task _all;
    private int _open;

    internal HalfOpenFlood(IPEndPoint server, IPAddress from, int connections)
    {
        _server = server;
        _from = from;
        _all = Task.WhenAll(Enumerable.Range(0, connections).Select(_ => RunAsync()));
    }

    /// <summary>How many are connected now.</summary>
    internal int OpenCount => Volatile.Read(ref _open);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _all;
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        await Task.Yield();
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await HoldAsync();
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException)
            {
                // The server has ended it, or the flood is over.
            }

            await Task.Delay(BetweenBytes, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task HoldAsync()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(_from, 0));
        await socket.ConnectAsync(_server, _stop.Token);
        Interlocked.Increment(ref _open);
        try
        {
            for (int at = 0; at < Hello.Length; at++)
            {
                await socket.SendAsync(Hello.AsMemory(at, 1), SocketFlags.None, _stop.Token);
                await Task.Delay(BetweenBytes, _stop.Token);
            }
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }
}
