using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Support;
using Raven.Security.Floods;
using Raven.Security.Rights;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>Floods over the network: what they take, and who is served meanwhile.</summary>
public sealed class HandshakeFloodTests
{
    private static readonly Uri Databases = new("/databases", UriKind.Relative);

    [Fact]
    [Trait("Security", "11")]
    [Trait("Invariant", "FLOOD-4")]
    public async Task Half_open_handshakes_leave_room_for_other_sources_and_for_what_is_open()
    {
        using var server = new TlsServer(handshakesMax: 8);
        using X509Certificate2 certificate = server.Register(DatabaseRight.Read);
        using HttpClient open = server.Client(certificate);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(open));
        Handshakes handshakes = server.Host.State.Security.Handshakes;
        await Deadline.UntilAsync(() => handshakes.Count == 0);
        Socket?[] silent = await BeginAsync(server, "127.0.0.1", 20);

        await Deadline.UntilAsync(() => handshakes.RefusedCount == 16);
        Assert.Equal(4, handshakes.Count);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(open));
        using HttpClient other = server.Client(certificate, "127.0.0.2");
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(other));
        Array.ForEach(silent, socket => socket?.Dispose());
        await Deadline.UntilAsync(() => handshakes.Count == 0);
    }

    [Fact]
    [Trait("Security", "46")]
    [Trait("Invariant", "FLOOD-3")]
    public async Task New_connections_of_a_source_that_fails_too_often_end_before_their_handshake()
    {
        using var server = new TlsServer();
        using X509Certificate2 known = server.Register(DatabaseRight.Read);
        using X509Certificate2 unknown = TestCertificates.Make("unknown");
        using HttpClient neighbour = server.Client(known, "127.0.0.3");
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(neighbour));
        using HttpClient stranger = server.Client(unknown, "127.0.0.3");
        for (int i = 0; i < FailedLogins.PerMinuteMax; i++)
        {
            Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(stranger));
        }

        Assert.Equal(HttpStatusCode.TooManyRequests, await StatusAsync(stranger));
        Handshakes handshakes = server.Host.State.Security.Handshakes;
        Assert.Equal(0, handshakes.RefusedCount);
        Socket?[] tries = await BeginAsync(server, "127.0.0.3", FailedLogins.ConnectionsOfWaitingMax + 5);

        await Deadline.UntilAsync(() => handshakes.RefusedCount == 5);
        await Deadline.UntilAsync(() => handshakes.Count == FailedLogins.ConnectionsOfWaitingMax);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(neighbour));
        Array.ForEach(tries, socket => socket?.Dispose());
    }

    [Fact]
    [Trait("Security", "51")]
    [Trait("Invariant", "AUTH-3")]
    public async Task A_stranger_sends_little_of_a_long_body()
    {
        const long length = 256L << 20;
        const long takenMax = 32L << 20;
        using var server = new TlsServer();
        using Socket socket = await server.ConnectAsync("127.0.0.1");
        await using var stream = new SslStream(
            new NetworkStream(socket, ownsSocket: false), leaveInnerStreamOpen: false, (_, _, _, _) => true);
        await stream.AuthenticateAsClientAsync("127.0.0.1");
        await stream.WriteAsync(Encoding.ASCII.GetBytes(
            $"PUT /databases/red/docs?id=a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"));
        byte[] buffer = new byte[64 * 1024];
        int read = await stream.ReadAsync(buffer);
        Assert.StartsWith("HTTP/1.1 403 ", Encoding.ASCII.GetString(buffer, 0, read), StringComparison.Ordinal);
        long sent = 0;
        await Assert.ThrowsAnyAsync<IOException>(async () =>
        {
            for (; sent < length; sent += buffer.Length)
            {
                await stream.WriteAsync(buffer).AsTask().WaitAsync(Deadline.Hang);
            }
        });
        Assert.InRange(sent, 0, takenMax);
    }

    private static async Task<HttpStatusCode> StatusAsync(HttpClient client)
    {
        using HttpResponseMessage answer = await client.GetAsync(Databases);
        return answer.StatusCode;
    }

    private static Task<Socket?[]> BeginAsync(TlsServer server, string from, int count) =>
        Task.WhenAll(Enumerable.Range(0, count).Select(_ => BeginAsync(server, from)));

    /// <summary>Connects and sends the begin of a record of TLS.</summary>
    /// <returns>Null if the server has broken it off by then.</returns>
    private static async Task<Socket?> BeginAsync(TlsServer server, string from)
    {
        Socket? socket = null;
        try
        {
            socket = await server.ConnectAsync(from);
            await socket.SendAsync(new byte[] { 22, 3, 1 });
            return socket;
        }
        catch (SocketException)
        {
            socket?.Dispose();
            return null;
        }
    }
}
