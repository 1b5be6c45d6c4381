using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Security;
using FastTests.Server;
using Raven.Security.Rights;

namespace SlowTests.Server;

/// <summary>
/// A million mutated first packets of HTTP/1.1, of HTTP/2 and of workers, and thousands of them behind the handshake of
/// TLS: whatever they are, the server answers or ends the connection, and serves the next one.
/// </summary>
[Trait(Category.Shard, "first-packets")]
public sealed class FirstPacketTests
{
    /// <summary>Four of these are a million.</summary>
    private const int Packets = 250_000;
    private const int TlsPackets = 4_000;
    private const int Senders = 4;
    private const int ChecksEvery = 5_000;

    private static readonly string[] Begins =
    [
        "GET /build/version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "PUT /databases/db/docs?id=a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
        SubscriptionClient.Header,
        SubscriptionClient.Header + SubscriptionClient.Options("none"),
        SubscriptionClient.Header.Replace("53000", "54000", StringComparison.Ordinal) + SubscriptionClient.Header,
        "\x16\x03\x01\x02\x00\x01",
        " {",
    ];

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    [Trait("Invariant", "SWITCH-1")]
    public async Task Mutated_first_packets_never_keep_the_server_from_the_next_one(int seed)
    {
        using TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { Http2Url = new Uri("http://127.0.0.1:0") });
        int[] ports = [server.Port, server.Port, server.Port, new Uri(server.Host.Http2Url!).Port];
        int sent = 0;
        await Task.WhenAll(Enumerable.Range(0, Senders).Select(sender => Task.Run(async () =>
        {
            var random = new Random((seed * Senders) + sender);

            // A port that has just been used is not used again at once: so each sender takes turns of addresses.
            for (int i = 0; i < Packets / Senders; i++)
            {
                Send(ports[random.Next(ports.Length)], $"127.{seed}.{sender + 1}.{(i % 200) + 1}", Mutated(random));
                if (Interlocked.Increment(ref sent) % ChecksEvery == 0)
                {
                    await server.AssertServesAsync();
                }
            }
        })));
        await server.AssertServesAsync();
        Assert.Equal(Packets, sent);
    }

    [Fact]
    [Trait("Invariant", "SWITCH-1")]
    [Trait("Invariant", "SOCK-1")]
    public async Task Mutated_first_packets_behind_TLS_never_keep_the_server_from_the_next_one()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using HttpClient client = server.Client(certificate);
        var random = new Random(15);
        for (int i = 0; i < TlsPackets; i++)
        {
            Socket socket = await server.ConnectAsync($"127.0.1.{(i % 200) + 1}");
            await using var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
            await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                ClientCertificates = i % 2 == 0 ? [certificate] : null,
                RemoteCertificateValidationCallback = (_, _, _, _) => true,
            });
            await stream.WriteAsync(Mutated(random));
            await stream.ShutdownAsync();
            await stream.CopyToAsync(Stream.Null).ContinueWith(_ => { }, TaskScheduler.Default);
            if (i % 200 == 0)
            {
                using HttpResponseMessage answer = await client.GetAsync(
                    new Uri("/databases/red/stats", UriKind.Relative));
                Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
            }
        }
    }

    /// <summary>The begin of a first packet, with up to three bytes changed.</summary>
    private static byte[] Mutated(Random random)
    {
        byte[] packet = Encoding.Latin1.GetBytes(Begins[random.Next(Begins.Length)]);
        for (int changes = random.Next(4); changes > 0; changes--)
        {
            packet[random.Next(packet.Length)] = (byte)random.Next(256);
        }

        return packet[..random.Next(1, packet.Length + 1)];
    }

    private static void Send(int port, string from, byte[] packet)
    {
        byte[] answer = new byte[4096];
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        socket.Connect("127.0.0.1", port);
        socket.ReceiveTimeout = 60_000;
        try
        {
            socket.Send(packet);
            socket.Shutdown(SocketShutdown.Send);
            while (socket.Receive(answer) > 0)
            {
                // Read to the end, which must come.
            }
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.ConnectionReset or SocketError.NotConnected)
        {
            // The server has ended it before it had read all.
        }
    }
}
