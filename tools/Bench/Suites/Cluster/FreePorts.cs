using System.Net;
using System.Net.Sockets;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>Ports of loopback that nobody listens on, for servers that have to know one another before they start.
/// </summary>
internal static class FreePorts
{
    /// <summary>An address with such a port. Ports of one run differ, as the system goes on in turn.</summary>
    internal static Uri Url()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return new Uri($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}");
    }
}
