using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using Raven.Cluster.Hosting;

namespace Raven.Server.Http.Cluster;

/// <summary>
/// Connects to other nodes: a request of HTTP/1.1 with <c>Upgrade: raven-log/1</c> on the port of the server, over TLS
/// with the certificates of both if there are any; after the answer 101 the connection is a stream of bytes.
/// </summary>
/// <param name="cluster">Knows the nodes.</param>
internal sealed class NodeNetwork(ClusterService cluster) : IReplicaNetwork
{
    /// <summary>The protocol of <c>Upgrade</c>.</summary>
    internal const string Protocol = "raven-log/1";

    /// <summary>The header with the tag of the node that connects.</summary>
    internal const string TagHeader = "Raven-Node";

    /// <summary>The header with the key of nodes without certificates.</summary>
    internal const string KeyHeader = "Raven-Node-Key";

    private const int AnswerBytesMax = 8192;

    /// <inheritdoc/>
    public async ValueTask<Stream?> DialAsync(string tag, string database, CancellationToken stop)
    {
        if (cluster.Cluster.Find(tag) is not { } node)
        {
            return null;
        }

        Socket? socket = null;
        Stream? stream = null;
        try
        {
            var url = new Uri(node.NodeUrl);
            socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(url.DnsSafeHost, url.Port, stop).ConfigureAwait(false);
            stream = new NetworkStream(socket, ownsSocket: true);
            socket = null;
            if (url.Scheme == "https")
            {
                var tls = new SslStream(stream, leaveInnerStreamOpen: false);
                stream = tls;
                await tls.AuthenticateAsClientAsync(cluster.ClientOptions(url.DnsSafeHost, tag), stop)
                    .ConfigureAwait(false);
            }

            await stream.WriteAsync(RequestTo(url, database), stop).ConfigureAwait(false);
            if (await ReadStatusAsync(stream, stop).ConfigureAwait(false) == HttpStatusCode.SwitchingProtocols)
            {
                Stream upgraded = stream;
                stream = null;
                return upgraded;
            }
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException
            or System.Security.Authentication.AuthenticationException or UriFormatException)
        {
            // The caller tries again.
        }
        finally
        {
            socket?.Dispose();
            if (stream is not null)
            {
                await stream.DisposeAsync().ConfigureAwait(false);
            }
        }

        return null;
    }

    private byte[] RequestTo(Uri url, string database)
    {
        string key = cluster.ForwardKey is { } secret ? $"{KeyHeader}: {secret}\r\n" : "";
        return Encoding.ASCII.GetBytes(
            $"GET /replication/log?db={Uri.EscapeDataString(database)} HTTP/1.1\r\nHost: {url.Authority}\r\n"
            + $"Connection: Upgrade\r\nUpgrade: {Protocol}\r\n{TagHeader}: {cluster.Tag}\r\n{key}\r\n");
    }

    /// <summary>Reads the head of the answer byte by byte, as what follows belongs to the log.</summary>
    private static async ValueTask<HttpStatusCode> ReadStatusAsync(Stream stream, CancellationToken stop)
    {
        byte[] head = new byte[AnswerBytesMax];
        int length = 0;
        while (length < head.Length)
        {
            if (await stream.ReadAsync(head.AsMemory(length, 1), stop).ConfigureAwait(false) == 0)
            {
                return default;
            }

            length++;
            if (head.AsSpan(0, length).EndsWith("\r\n\r\n"u8))
            {
                string[] words = Encoding.ASCII.GetString(head, 0, length).Split(' ', 3);
                return words.Length > 1 && int.TryParse(words[1], CultureInfo.InvariantCulture, out int status)
                    ? (HttpStatusCode)status
                    : default;
            }
        }

        return default;
    }
}
