using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Shared.Cluster.Processes;

/// <summary>All processes on 127.0.0.1, at ports that were free.</summary>
internal sealed class LoopbackPlaces : IProcessPlaces
{
    private readonly ConcurrentDictionary<(string Name, int Port), Lazy<int>> _ports = new();

    /// <inheritdoc/>
    public string UrlOf(string name, int port = 0) =>
        $"http://127.0.0.1:{_ports.GetOrAdd((name, port), _ => new Lazy<int>(FreePort)).Value}";

    /// <inheritdoc/>
    public IReadOnlyList<string> PrefixOf(string name) => [];

    /// <inheritdoc/>
    public SocketsHttpHandler CreateHandler() => new() { UseProxy = false, UseCookies = false };

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
